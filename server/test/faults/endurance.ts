/**
 * Renewals by several workers, as processes, that are killed, paused and cut off from the store while they work; then
 * what became of it, asked of our books, of the processor's and of the receiver's. The suite runs it short, and
 * `npm run endurance` long.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createRandom } from '../support/random.ts';
import { createReceiver } from '../support/receiver.ts';
import type { Course, EnduranceOptions, Kind } from './endurance-course.ts';
import { findFaults } from './endurance-faults.ts';
import { openShop, type Shop } from './renewing-shop.ts';
import { openStripeTill, type Till } from './stripe-till.ts';
import { type Fleet, startFleet } from './worker-fleet.ts';

export interface Endured {
  /** What is not as it should be; empty = all is well. */
  faults: string[];
  figures: Record<string, number>;
}

const CARDS: Record<Kind, string | null> = {
  pays: null,
  unknown: '4000000000000119',
  soft: '4000000000009995',
  hard: '4000000000009987',
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const POLL_MS = 20;
/** Of real time, without which a course has come to a stop: twice the lease of a worker that died, and some. */
const QUIET_WITHIN_MS = 300_000;
/** Of the workspace's time: cards that are unknown at first take minutes for each period. */
const HEALED_WITHIN_MINUTES = 60;
const HEALED_TILL_WITHIN_MINUTES = 10;
const HALTED_MS = 1_000;
/** Longer than a lease. */
const HALTED_LONG_MS = 70_000;

export async function endure(options: EnduranceOptions): Promise<Endured> {
  const { databaseUrl, dataDir, workers, connections, log = () => {} } = options;
  const receiver = await createReceiver();
  const till = options.till ? await openStripeTill({ ...options.till, seed: options.seed }) : null;
  const env = {
    ...till?.env,
    DATABASE_CONNECTIONS_MAX: String(connections),
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  };
  // What is sold before the faults come is all paid, however slow the machine: time goes by before anybody asks again.
  const shop = await openShop({ databaseUrl, dataDir, env: { ...env, PROCESSOR_TIMEOUT_MS: '30000' } });
  let fleet: Fleet | null = null;
  try {
    await shop.ask('POST', '/v0/webhooks/create', {
      url: `${receiver.url}/hook`,
      events: ['payment_success', 'payment_failed', 'subscription_interval', 'subscription_updated'],
    });
    const kindOf = (index: number): Kind => (options.hasBadCards ? toKind(index) : 'pays');
    const kinds = new Map<string, Kind>();
    const fields = (await till?.connect(shop)) ?? {};
    log(`seed ${options.seed}: selling ${options.subscriptions} subscriptions`);
    for (const kind of ['pays', 'unknown', 'soft', 'hard'] as const) {
      const count = Array.from({ length: options.subscriptions }, (_, index) => kindOf(index)).filter(
        (one) => one === kind,
      ).length;
      for (const { number } of await shop.sell(count, () => CARDS[kind], fields)) kinds.set(number, kind);
    }
    log('sold');
    fleet = await startFleet({ count: workers, databaseUrl, dataDir, env });
    const course: Course = { shop, fleet, receiver, till, options, kinds, figures: {} };
    await untilQuiet(course);
    await run(course);
    return { faults: await findFaults(course), figures: course.figures };
  } finally {
    await fleet?.close();
    await shop.close();
    await receiver.close();
    await till?.close();
  }
}

function toKind(index: number): Kind {
  if (index % 10 === 3) return 'unknown';
  if (index % 20 === 7) return 'soft';
  return index % 20 === 17 ? 'hard' : 'pays';
}

/** Lets all periods fall due at once, disturbs the workers, and lets them come to rest. */
async function run(course: Course): Promise<void> {
  const { shop, till, options, figures, kinds } = course;
  const { log = () => {}, periods } = options;
  await till?.disturb();
  const [last] = await shop.query<{ end: string }>(
    'select max(current_interval_end) as end from subscriptions',
  );
  await shop.jump(Number(last?.end) + (periods - 1) * 31 * DAY_MS + 1000);
  const startedMs = performance.now();
  const paying = [...kinds.values()].filter((kind) => kind === 'pays').length;
  log(`${kinds.size * periods} periods are due`);
  await disturb(course, paying * periods);
  if (till) return healTill(course, till, startedMs);
  await untilPaid(course, paying * periods);
  figures['renewed within s'] = seconds(startedMs);
  log(`all that pays at once has paid after ${figures['renewed within s']} s`);
  if (options.isHastened) await expireLeases(shop);
  figures['minutes of healing'] = await heal(course);
  figures['in all s'] = seconds(startedMs);
}

/** Ten minutes after its answers can be trusted again nothing that was sent before is unknown. */
async function healTill(course: Course, till: Till, startedMs: number): Promise<void> {
  const { options, figures, shop } = course;
  await till.heal();
  figures['paid when it was healed'] = await countPaid(shop);
  options.log?.(`healed after ${seconds(startedMs)} s, ${figures['paid when it was healed']} paid`);
  if (options.isHastened) {
    await expireLeases(shop);
    // The product asks by itself, every five minutes of real time.
    await till.check(shop);
    figures['minutes of healing'] = await heal(course, HEALED_TILL_WITHIN_MINUTES);
  } else {
    const healedMs = performance.now();
    const untilMs = healedMs + HEALED_TILL_WITHIN_MINUTES * MINUTE_MS;
    // Of what was sent before: many a period is still to come, and is under way for a moment.
    const sent = await shop.query<{ id: string }>(`select id from payments where status = 'PENDING'`);
    while ((await countPending(shop, sent)) > 0) {
      if (performance.now() > untilMs) throw new Error(`${await countPending(shop, sent)} are still unknown`);
      await wait(POLL_MS);
    }
    figures['minutes of healing'] = Math.ceil(seconds(healedMs) / 6) / 10;
    await untilPaid(course, course.kinds.size * options.periods);
    await heal(course, HEALED_WITHIN_MINUTES);
  }
  figures['in all s'] = seconds(startedMs);
}

async function countPending(shop: Shop, payments: ReadonlyArray<{ id: string }>): Promise<number> {
  const [row] = await shop.query<{ count: string }>(
    `select count(*) as count from payments where status = 'PENDING' and id = any($1::uuid[])`,
    [payments.map(({ id }) => id)],
  );
  return Number(row?.count);
}

/** Each fault comes at so many payments, not at a time: a slow machine is disturbed in the middle as well. */
async function disturb(course: Course, payments: number): Promise<void> {
  const { options, figures, shop } = course;
  const { kills, pauses, cuts, seed, log = () => {} } = options;
  const { next: random } = createRandom(seed);
  // Of calls that meet a fault each repetition meets it again: their payments wait until it is healed.
  const last = course.till ? 0.5 : 0.95;
  const faults = [
    ...Array.from({ length: kills }, () => kill),
    ...Array.from({ length: pauses }, () => pause),
    ...Array.from({ length: cuts }, () => cut),
  ];
  const plan = faults
    .map((fault) => ({ fault, order: random(), at: random() * last * payments, which: random() }))
    .sort((a, b) => a.order - b.order);
  const moments = plan.map(({ at }) => at).sort((a, b) => a - b);
  const halted: Array<Promise<void> | null> = [];
  for (const [index, { fault, which }] of plan.entries()) {
    await untilPaid(course, Math.floor(moments[index] ?? 0));
    halted.push((await fault(course, which)).over);
    if ((index + 1) % 20 === 0) log(`${index + 1} faults, ${await countPaid(shop)} paid`);
  }
  figures['paid when the last fault came'] = await countPaid(shop);
  await Promise.all(halted);
}

/** What goes on while the next faults come, if anything does. */
interface Struck {
  over: Promise<void> | null;
}
type Fault = (course: Course, which: number) => Promise<Struck>;

const kill: Fault = async ({ fleet, shop, options, figures }, which) => {
  await fleet.kill(await pickReady(fleet, which));
  if (options.isHastened) await expireLeases(shop);
  figures.kills = (figures.kills ?? 0) + 1;
  return { over: null };
};

/** A worker that knows of nothing goes on in the middle of what others have done meanwhile. */
const pause: Fault = async ({ fleet, shop, options, figures }, which) => {
  const worker = await pickReady(fleet, which);
  fleet.pause(worker);
  if (options.isHastened) await expireLeases(shop);
  figures.pauses = (figures.pauses ?? 0) + 1;
  const halted = wait(options.isHastened ? HALTED_MS : HALTED_LONG_MS);
  return { over: halted.then(() => fleet.resume(worker)) };
};

const cut: Fault = async ({ shop, figures }, which) => {
  const rows = await shop.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'counterfoil'
     order by hashtext(pid::text || $1) limit 8`,
    [String(which)],
  );
  figures['connections cut'] = (figures['connections cut'] ?? 0) + rows.length;
  return { over: null };
};

async function pickReady(fleet: Fleet, which: number) {
  const untilMs = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const ready = fleet.listReady();
    const worker = ready[Math.floor(which * ready.length)];
    if (worker) return worker;
    if (performance.now() > untilMs) throw new Error('no worker has become ready');
    await wait(POLL_MS);
  }
}

/**
 * As a minute of real time does: whoever held a row has lost it, also where it lives and goes on. What a halted one
 * has locked is left out: it would be waited for.
 */
async function expireLeases(shop: Shop): Promise<void> {
  await shop.query(
    `update due_work d set lease_until_ms = real_now_ms() - 1
     from (select workspace_id, test_mode, kind, ref_id from due_work
       where lease_until_ms > real_now_ms() for update skip locked) w
     where d.workspace_id = w.workspace_id and d.test_mode = w.test_mode and d.kind = w.kind and d.ref_id = w.ref_id`,
  );
}

async function countPaid(shop: Shop): Promise<number> {
  const [row] = await shop.query<{ count: string }>(
    `select count(*) as count from payments where type = 'subscription_interval' and status = 'PAID'`,
  );
  return Number(row?.count);
}

/** A look at a charge whose worker died is due in half a minute: with nothing else to do, it is brought here. */
async function untilPaid({ shop, options }: Course, count: number): Promise<void> {
  let seen = -1;
  let untilMs = 0;
  for (;;) {
    const paid = await countPaid(shop);
    if (paid >= count) return;
    if (paid !== seen) untilMs = performance.now() + QUIET_WITHIN_MS;
    seen = paid;
    if (performance.now() > untilMs) {
      const busy = JSON.stringify(await listBusy(shop));
      throw new Error(`only ${paid} of ${count} were paid, and then nothing; busy: ${busy}`);
    }
    if (options.isHastened && (await listBusy(shop)).length === 0) await passMinute(shop);
    await wait(POLL_MS);
  }
}

/** What is due, or held by somebody. */
function listBusy(shop: Shop) {
  return shop.query<Record<string, unknown>>(
    `select kind, failures, last_error, lease_until_ms - real_now_ms() as lease_left_ms from due_work
     where due_real_ms <= real_now_ms() or lease_until_ms is not null limit 5`,
  );
}

async function untilQuiet({ shop }: Course): Promise<void> {
  const untilMs = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const rows = await listBusy(shop);
    if (rows.length === 0) return;
    if (performance.now() > untilMs) throw new Error(`work is left: ${JSON.stringify(rows)}`);
    await wait(POLL_MS);
  }
}

async function passMinute(shop: Shop): Promise<void> {
  await shop.jump((await shop.now()) + MINUTE_MS);
}

/** Moves the time on by minutes until nothing is open any more; answers how many it took. */
async function heal(course: Course, withinMinutes = HEALED_WITHIN_MINUTES): Promise<number> {
  const { shop } = course;
  for (let minutes = 0; ; minutes += 1) {
    await untilQuiet(course);
    const open = await countOpen(shop);
    if (open.payments === 0 && open.deliveries === 0) return minutes;
    if (minutes === withinMinutes) throw new Error(`still open: ${JSON.stringify(open)}`);
    await passMinute(shop);
  }
}

async function countOpen(shop: Shop): Promise<{ payments: number; deliveries: number }> {
  const [open] = await shop.query<{ payments: number; deliveries: number }>(
    `select (select count(*)::int from payments where status = 'PENDING') as payments,
      (select count(*)::int from webhook_deliveries where status = 'waiting') as deliveries`,
  );
  return open ?? { payments: 0, deliveries: 0 };
}

function seconds(sinceMs: number): number {
  return Math.round((performance.now() - sinceMs) / 100) / 10;
}
