/** What must hold once workers that were disturbed have come to rest: each question answers what is wrong. */
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import type { Course, Kind } from './endurance-course.ts';
import type { Shop } from './renewing-shop.ts';

/** A payment is not open for longer, unless the processor itself does not know. */
const PENDING_MS_MAX = 600_000;

const LASTING_MS = 60_000;
const POLL_MS = 200;
const LIMITS = { maxConnections: 1, acquireTimeoutMs: 30_000, statementTimeoutMs: 300_000 };

/** Each answers no row. */
const QUESTIONS: Record<string, string> = {
  'a payment that is open': `select number, status from payments where status = 'PENDING'`,
  'a paid payment that was not charged once here': `
    select p.number, count(c.id) as charged from payments p
    left join charges c on c.payment_id = p.id and c.status = 'succeeded' and c.reversed_at is null
    where p.status = 'PAID' and p.value > 0 group by p.id, p.number having count(c.id) <> 1`,
  'two payments of one period': `select subscription_id, period_start from payments
    where type = 'subscription_interval' group by 1, 2 having count(*) > 1`,
  'periods that were not paid in their order': `
    select number from (select number, paid_at, split_part(number, '-', 2)::int as place, period_start,
      lag(paid_at) over w as paid_before, lag(split_part(number, '-', 2)::int) over w as place_before
      from payments where type = 'subscription_interval' and status = 'PAID'
      window w as (partition by subscription_id order by period_start)) p
    where paid_at < paid_before or place <= place_before`,
  'work that nobody does': `select kind, last_error from due_work
    where due_real_ms <= real_now_ms() or lease_until_ms is not null`,
  'work that has failed': `select kind, failures, last_error from due_work where failures > 0`,
  'an event without its delivery': `select e.type, d.status from events e
    left join webhook_deliveries d on d.event_id = e.id join webhooks w on e.type = any(w.events)
    where d.status is distinct from 'delivered'`,
};

/** The same of the sandbox's own books, and of its time: over another processor it counts from when that was healed. */
const SANDBOX_QUESTIONS: Record<string, string> = {
  'a charge that was open for long': `select id, settled_at - created_at as ms from charges
    where settled_at is null or settled_at - created_at > ${PENDING_MS_MAX}`,
  'a paid payment that the processor did not take once': `
    select p.number, count(s.id) as taken from payments p
    left join charges c on c.payment_id = p.id left join sandbox_charges s on s.id = c.id and s.status = 'succeeded'
    where p.status = 'PAID' and p.value > 0 group by p.id, p.number having count(s.id) <> 1`,
  'money that the processor took for nothing': `
    select s.id from sandbox_charges s left join charges c on c.id = s.id
    left join payments p on p.id = c.payment_id and p.status = 'PAID'
    where s.status = 'succeeded' and p.id is null`,
};

export async function findFaults(course: Course): Promise<string[]> {
  const { shop, fleet, figures, options } = course;
  const faults = fleet.ended.map((output) => `a worker ended by itself: ${output}`);
  const questions = course.till ? QUESTIONS : { ...QUESTIONS, ...SANDBOX_QUESTIONS };
  for (const [name, question] of Object.entries(questions)) {
    const rows = await findLasting(shop, question);
    if (rows.length > 0) faults.push(`${name}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  faults.push(...(await findWrongLives(course)), ...(await findUntold(course)));
  faults.push(...((await course.till?.findFaults(shop, figures)) ?? []));
  const { db, close } = openDatabase({ connectionString: options.databaseUrl, ...LIMITS });
  const violations = await findViolations(db, { guard: createAddressGuard(['127.0.0.0/8']) }).finally(close);
  faults.push(...violations.map(({ number, name, row }) => `invariant ${number}, ${name}: ${toText(row)}`));
  const [counted] = await shop.query<{ paid: string }>(
    `select count(*) as paid from payments where type = 'subscription_interval' and status = 'PAID'`,
  );
  figures['renewals paid'] = Number(counted?.paid);
  return faults;
}

/** What is just on its way, such as an event that is read, is gone in a moment; what is wrong stays. */
async function findLasting(shop: Shop, question: string): Promise<object[]> {
  const untilMs = performance.now() + LASTING_MS;
  for (;;) {
    const rows = await shop.query(question);
    if (rows.length === 0 || performance.now() > untilMs) return rows;
    await wait(POLL_MS);
  }
}

/** Of each subscription its status and those of its periods are what its card says. */
async function findWrongLives({ shop, kinds, options }: Course): Promise<string[]> {
  const rows = await shop.query<{ number: string; status: string; periods: string[] | null }>(
    `select s.number, s.status, (select array_agg(p.status order by p.period_start) from payments p
      where p.subscription_id = s.id and p.type = 'subscription_interval') as periods from subscriptions s`,
  );
  const toLife = (status: string, periods: readonly string[]) => [status, ...periods].join(' ');
  const isPaid = (kind: Kind) => kind === 'pays' || kind === 'unknown';
  const all = (status: string, count: number): string[] => Array.from({ length: count }, () => status);
  const wrong = rows.flatMap(({ number, status, periods }) => {
    const kind = kinds.get(number) ?? 'pays';
    const expected = isPaid(kind)
      ? toLife('active', all('PAID', options.periods))
      : toLife('past_due', ['FAILED', ...all('UNPAID', options.periods - 1)]);
    const seen = toLife(status, periods ?? []);
    return seen === expected ? [] : [`${number}, whose card is ${kind}, is ${seen}, not ${expected}`];
  });
  if (rows.length !== kinds.size) wrong.push(`${rows.length} subscriptions of ${kinds.size}`);
  return wrong.length > 3 ? [...wrong.slice(0, 3), `${wrong.length} such subscriptions`] : wrong;
}

/** Every event has come to the receiver, each time with the same bytes. */
async function findUntold({ shop, receiver, figures }: Course): Promise<string[]> {
  const events = await shop.query<{ id: string; body: string }>(
    'select e.id, e.body from events e join webhooks w on e.type = any(w.events)',
  );
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  const received = new Set<string>();
  let strange = 0;
  for (const { headers, raw } of receiver.requests) {
    const id = String(headers['webhook-id']);
    if (bodies.get(id) !== raw.toString()) strange += 1;
    received.add(id);
  }
  figures.events = events.length;
  figures['received twice or more'] = receiver.requests.length - received.size;
  const untold = events.filter(({ id }) => !received.has(id)).length;
  return [
    ...(untold > 0 ? [`${untold} events have not come`] : []),
    ...(strange > 0 ? [`${strange} requests are not of an event`] : []),
  ];
}

function toText(row: Record<string, unknown>): string {
  return JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? Number(value) : value));
}
