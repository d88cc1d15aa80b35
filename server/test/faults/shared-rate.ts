/**
 * Renewals that are due beside buyers at the checkout, by several processes over one connection whose processor turns some
 * calls away: all of them together keep to the rate, buyers do not wait behind renewals, and nobody's charge fails.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Shop } from './renewing-shop.ts';
import { type CourseOptions, type OpenCourse, runCourse } from './stripe-course.ts';

export interface RateOptions extends CourseOptions {
  due: number;
  checkouts: number;
  /** Calls in a second, of all processes. */
  perSecond: number;
}

export interface SharedRate {
  /** Calls a second while renewals and checkouts went on. */
  perSecond: number;
  /** Of the buyers at the checkout, once the last of them had paid. */
  boughtBeside: number;
  /** Renewals that were not paid by then. */
  renewalsLeft: number;
  /** Calls that were turned away. */
  turnedAway: number;
  paid: number;
  failed: number;
  faults: string[];
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const POLL_MS = 50;
const UNTIL_MS = 1_800_000;
/** Of the calls that ask for a renewal's money every so many is turned away. */
const TURNED_AWAY_EACH = 20;

export function renewBesideBuyers(options: RateOptions): Promise<SharedRate> {
  const { perSecond, due } = options;
  const opening = { till: { timeoutMs: 8_000, rate: `${perSecond}/${perSecond}` }, subscriptions: due };
  return runCourse(options, opening, (course) => run(course, options));
}

async function run({ shop, till, fields }: OpenCourse, options: RateOptions): Promise<SharedRate> {
  const { due, checkouts, log = () => {} } = options;
  const ordinal = Array.from({ length: due / TURNED_AWAY_EACH }, (_, index) => 5 + index * TURNED_AWAY_EACH);
  const asking = { method: 'POST', path: '/v1/payment_intents/*/confirm', ordinal };
  const fault = await till.addFault(
    { ...asking, metadata: { cf_purpose: 'renewal' } },
    { status: 429, code: 'rate_limit' },
  );
  const before = (await till.listCalls()).length;
  const [last] = await shop.query<{ end: string }>(
    'select max(current_interval_end) as end from subscriptions',
  );
  await shop.jump(Number(last?.end) + HOUR_MS);
  await until(async () => (await countPaid(shop)) > 0, 'no renewal is paid');
  await shop.sell(checkouts, () => null, fields);
  const renewalsLeft = due - (await countPaid(shop));
  log(`${checkouts} have bought, ${renewalsLeft} renewals are left`);
  // What was turned away is turned away each time, until it is healed.
  await until(async () => (await countWorking(shop)) === 0, 'the renewals do not end');
  const calls = (await till.listCalls()).slice(before);
  const spanMs = Math.max(1000, (calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0));
  await till.removeFault(fault);
  await till.check(shop);
  await until(async () => {
    if ((await countWorking(shop)) === 0) await shop.jump((await shop.now()) + MINUTE_MS);
    return (await countPaid(shop)) === due;
  }, 'not all are paid');
  const [failed] = await shop.query<{ count: number }>(
    `select count(*)::int as count from charges where status = 'failed'`,
  );
  return {
    perSecond: Math.round((calls.length * 10_000) / spanMs) / 10,
    boughtBeside: checkouts,
    renewalsLeft,
    turnedAway: calls.filter(({ status }) => status === 429).length,
    paid: await countPaid(shop),
    failed: failed?.count ?? 0,
    faults: await till.findFaults(shop, {}),
  };
}

async function countPaid(shop: Shop): Promise<number> {
  const [row] = await shop.query<{ count: number }>(
    `select count(*)::int as count from payments where type = 'subscription_interval' and status = 'PAID'`,
  );
  return row?.count ?? 0;
}

/** What is due now, or held by somebody. */
async function countWorking(shop: Shop): Promise<number> {
  const [row] = await shop.query<{ count: number }>(
    `select count(*)::int as count from due_work
     where due_real_ms <= real_now_ms() or lease_until_ms is not null`,
  );
  return row?.count ?? 0;
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  const untilMs = performance.now() + UNTIL_MS;
  while (!(await isSo())) {
    if (performance.now() > untilMs) throw new Error(otherwise);
    await wait(POLL_MS);
  }
}
