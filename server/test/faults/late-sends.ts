/**
 * Workers that are halted while what they have prepared is on its way, and go on when it is too late to send: they ask for no
 * money. By then the processor has forgotten every key, so that nothing but the time holds a stale call back.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Shop } from './renewing-shop.ts';
import { type CourseOptions, type OpenCourse, runCourse } from './stripe-course.ts';

export interface LateOptions extends CourseOptions {
  /** Renewals that are under way when all workers are halted. */
  sends: number;
}

export interface LateSends {
  /** Renewals whose workers were halted before they asked for money, and how many of their objects were made there. */
  halted: number;
  made: number;
  /** Calls for money by those attempts. */
  sent: number;
  /** Renewals that were paid in the end. */
  paid: number;
  /** Whatever the books do not agree about. */
  faults: string[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const POLL_MS = 20;
const BEAT_MS = 10_000;
const BEATS = 2;
const UNTIL_MS = 300_000;
/** PROCESSOR_SEND_WITHIN_MS, of real time: each worker is halted for longer. */
const SEND_WITHIN_MS = 5_000;
/** Of an object that is made: its worker is halted meanwhile, also on a slow machine. */
const MADE_AFTER_MS = 15_000;

export function haltBeforeSends(options: LateOptions): Promise<LateSends> {
  const opening = {
    till: { timeoutMs: 60_000, rate: '0' },
    env: { PROCESSOR_SEND_WITHIN_MS: String(SEND_WITHIN_MS) },
    subscriptions: options.sends,
  };
  return runCourse(options, opening, (course) => run(course, options));
}

async function run(
  { shop, fleet, till }: OpenCourse,
  { sends, log = () => {} }: LateOptions,
): Promise<LateSends> {
  const making = { method: 'POST', path: '/v1/payment_intents' };
  const slow = await till.addFault(making, { delayMs: MADE_AFTER_MS });
  const [last] = await shop.query<{ end: string }>(
    'select max(current_interval_end) as end from subscriptions',
  );
  await holdLooks(shop);
  await shop.jump(Number(last?.end) + HOUR_MS);
  await until(async () => (await listRenewals(shop)).length === sends, 'not all renewals are under way');
  const workers = fleet.listReady();
  for (const worker of workers) fleet.pause(worker);
  const haltedMs = Date.now();
  const halted = (await listRenewals(shop)).filter(({ object }) => object === null).map(({ id }) => id);
  log(`${halted.length} are under way, ${workers.length} workers halted`);
  await till.removeFault(slow);
  await till.pass(25 * HOUR_MS);
  await until(async () => Date.now() > haltedMs + SEND_WITHIN_MS, 'time stands still');
  for (const worker of workers) fleet.resume(worker);
  // Each finds that it is too late, and leaves its charge to a look, which is held off. That they have is told by nothing
  // but that they go on with other things: each has said several times since that it lives.
  const beatenMs = Math.max(Date.now(), haltedMs + MADE_AFTER_MS) + BEATS * BEAT_MS;
  await until(async () => (await findLeastBeat(shop)) > beatenMs, 'the workers do not go on');
  const sent = await till.countConfirms(halted);
  const made = (await listRenewals(shop)).filter(({ id, object }) => halted.includes(id) && object !== null);
  log(`${made.length} were made meanwhile, ${sent} asked for`);
  await shop.query('drop trigger held_looks on due_work');
  await shop.jump((await shop.now()) + 2 * DAY_MS);
  await until(
    async () => (await listRenewals(shop)).every(({ status }) => status !== 'pending'),
    'some are open',
  );
  const paid = (await listRenewals(shop)).filter(({ status }) => status === 'succeeded').length;
  return { halted: halted.length, made: made.length, sent, paid, faults: await till.findFaults(shop, {}) };
}

/** When that of the workers that live was last heard of which was silent for longest; real ms. */
async function findLeastBeat(shop: Shop): Promise<number> {
  const [row] = await shop.query<{ at: string | null }>(
    `select min(seen_at) as at from processes where role = 'worker'`,
  );
  return Number(row?.at ?? 0);
}

function listRenewals(shop: Shop) {
  return shop.query<{ id: string; status: string; object: string | null }>(
    `select id, status, processor_id as object from charges where off_session order by id`,
  );
}

/**
 * From now on looks at charges are due a day later than they were asked for, by a trigger: one that an attempt puts down as it
 * ends would else be taken at once. A look asks by an attempt of its own, which is not late, also where its worker was halted.
 */
async function holdLooks(shop: Shop): Promise<void> {
  await shop.query(
    `create or replace function hold_look() returns trigger language plpgsql as $$ begin
       new.due_ms := new.due_ms + ${DAY_MS};
       new.due_real_ms := new.due_real_ms + ${DAY_MS};
       return new;
     end $$`,
  );
  await shop.query(
    `create trigger held_looks before insert or update of due_ms on due_work
     for each row when (new.kind = 'watch_payment') execute function hold_look()`,
  );
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const untilMs = performance.now() + UNTIL_MS;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(otherwise);
    await wait(POLL_MS);
  }
}
