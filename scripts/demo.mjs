/**
 * `npm run demo -- [--orders 2000] [--seed 1] [--url http://localhost:3000]`: a year of sales, renewals, refunds,
 * disputes and, where webhooks may lead to this machine, a failing one, in the test store of a running service, made
 * through its API while its test clock is moved a week at a time. The same seed gives the same year. Keys come from `credentials.json` in DATA_DIR, or from
 * SVC_PUBLIC_KEY and SVC_SECRET_KEY.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  CARDS,
  COUNTRIES,
  CURRENCY,
  FIRST_NAMES,
  LAST_NAMES,
  PLAN_CARDS,
  PLANS,
  SINGLES,
} from './demo-data.mjs';

const WEEKS = 52;
/** Requests under way at a time. */
const CONNECTIONS = 4;
const TRIES_MAX = 30;
/** Shares of orders, and of what was sold the week before. */
const PLAN_SHARE = 0.3;
const RETURNING_SHARE = 0.35;
const CODE_SHARE = 0.1;
const REFUND_SHARE = 0.03;
const CHURN_SHARE = 0.008;
const PAUSE_SHARE = 0.002;
const UPGRADE_SHARE = 0.005;

const { values: options } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    url: { type: 'string' },
  },
});
const orders = toCount('orders', options.orders);
const random = createRandom(toCount('seed', options.seed));
const keys = readKeys();
const origin = options.url ?? keys.origin ?? 'http://localhost:3000';

const startedMs = performance.now();
const catalogue = await makeCatalogue();
const users = [];
let subscriptions = [];
const counts = { sold: 0, failed: 0, refunded: 0, cancelled: 0 };
for (let week = 1; week <= WEEKS; week += 1) {
  const sold = await sellWeek(week);
  await refundSome(sold);
  await changeSubscriptions();
  await api('POST', '/v0/test-clock/advance', { by: { weeks: 1 } });
  showProgress(week);
}
process.stdout.write('\n');
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
console.log(
  `${counts.sold} orders paid, ${counts.failed} declined, ${counts.refunded} refunded, ` +
    `${counts.cancelled} subscriptions cancelled, in ${seconds} s`,
);
if (!catalogue.hasWebhook) {
  console.log(
    'No webhook fails here: start the service with EGRESS_ALLOW_CIDRS=127.0.0.0/8 and run this again to see one that does.',
  );
}

function toCount(name, text) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) fail(`--${name} must be a whole number from 1`);
  return count;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function readKeys() {
  const { SVC_PUBLIC_KEY: publicKey, SVC_SECRET_KEY: secretKey, DATA_DIR = '.data' } = process.env;
  if (publicKey && secretKey) return { publicKey, secretKey };
  const file = path.join(DATA_DIR, 'credentials.json');
  try {
    const { test, baseUrl } = JSON.parse(readFileSync(file, 'utf8'));
    return { ...test, origin: baseUrl };
  } catch {
    return fail(`${file} cannot be read: start the service first, or give SVC_PUBLIC_KEY and SVC_SECRET_KEY`);
  }
}

/** Numbers from 0 to 1 that follow from the seed alone (mulberry32). */
function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick(list) {
  const total = list.reduce((sum, { weight = 1 }) => sum + weight, 0);
  let left = random() * total;
  for (const one of list) {
    left -= one.weight ?? 1;
    if (left < 0) return one;
  }
  return list[0];
}

function pickName(names) {
  return names[Math.floor(random() * names.length)];
}

async function makeCatalogue() {
  const singles = [];
  for (const { name, type, price, weight } of SINGLES) {
    const { product } = await api('POST', '/v0/products/create', { type, name });
    const offer = { productId: product.id, price, currency: CURRENCY, name };
    singles.push({ weight, offerId: (await api('POST', '/v0/offers/create', offer)).offer.id });
  }
  const plans = [];
  const { product } = await api('POST', '/v0/products/create', {
    type: 'Subscription',
    name: 'Contour Cloud',
  });
  for (const { name, price, unit, trialDays, weight } of PLANS) {
    const interval = { recurringInterval: unit, recurringIntervalCount: 1 };
    const trial = trialDays ? { trialInterval: 'day', trialIntervalCount: trialDays } : {};
    const offer = { productId: product.id, price, currency: CURRENCY, name, ...interval, ...trial };
    plans.push({ weight, unit, offerId: (await api('POST', '/v0/offers/create', offer)).offer.id });
  }
  const code = `SPRING${Math.floor(random() * 1e6)}`;
  const terms = { type: 'code', discountCode: code, name: 'Spring', amount: 15, amountType: 'percentage' };
  await api('POST', '/v0/discounts/create', { ...terms, includesAllOffers: true });
  // Nobody answers there: its health shows what a merchant sees of a receiver that is down. It is this machine's, since
  // a made-up year is no stranger's to hear, and what leads nowhere is no address of a webhook.
  const webhook = {
    url: 'http://localhost:9/hook',
    events: ['payment_refunded'],
    description: 'Bookkeeping',
  };
  const hasWebhook = (await api('POST', '/v0/webhooks/create', webhook, { mayFail: true })) !== null;
  return { singles, plans, code, hasWebhook };
}

/** More is sold from week to week, and before the end of the year most of all. */
function countOfWeek(week) {
  const weightOf = (one) => 1 + one / WEEKS + (one > WEEKS - 6 ? 0.8 : 0);
  const total = Array.from({ length: WEEKS }, (_, index) => weightOf(index + 1)).reduce((a, b) => a + b, 0);
  return Math.max(1, Math.round((orders * weightOf(week)) / total));
}

async function sellWeek(week) {
  const count = countOfWeek(week);
  // The year is drawn before anything is asked: whose answer comes first must not change it.
  const purchases = Array.from({ length: count }, drawPurchase);
  const sold = [];
  await inParallel(purchases, async ({ isPlan, ...purchase }) => {
    const answer = await api('POST', '/v0/test-purchases/create', purchase, { mayFail: true });
    if (answer?.order?.status !== 'PAID') {
      counts.failed += 1;
      return;
    }
    counts.sold += 1;
    sold.push(answer.order.id);
    if (isPlan && answer.subscription) subscriptions.push(answer.subscription.id);
  });
  return sold.sort();
}

function drawPurchase() {
  const isPlan = random() < PLAN_SHARE;
  const offer = pick(isPlan ? catalogue.plans : catalogue.singles);
  const user = drawUser(isPlan);
  const { card } = pick(isPlan ? PLAN_CARDS : CARDS);
  const hasCode = random() < CODE_SHARE;
  return {
    ...{ isPlan, offersIds: [offer.offerId], card, ...user },
    ...(hasCode ? { discountCode: catalogue.code } : {}),
  };
}

function drawUser(isNew) {
  if (!isNew && users.length > 0 && random() < RETURNING_SHARE)
    return users[Math.floor(random() * users.length)];
  const [firstName, lastName] = [pickName(FIRST_NAMES), pickName(LAST_NAMES)];
  const { weight: _weight, ...place } = pick(COUNTRIES);
  const plain = `${firstName}.${lastName}`
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z.]/g, '');
  const user = {
    userEmail: `${plain}.${users.length + 1}@example.com`,
    billingDetails: { firstName, lastName, ...place },
  };
  users.push(user);
  return user;
}

async function refundSome(sold) {
  const reasons = ['requested_by_customer', 'duplicate', 'other'];
  const refunds = sold
    .filter(() => random() < REFUND_SHARE)
    .map((id) => ({ id, reason: reasons[Math.floor(random() * reasons.length)] }));
  await inParallel(refunds, async ({ id, reason }) => {
    const answer = await api('POST', `/v0/orders/${id}/refunds`, { reason }, { mayFail: true });
    if (answer) counts.refunded += 1;
  });
}

/** Some leave, some pause for a while, some take more of the same. */
async function changeSubscriptions() {
  const left = new Set();
  const changes = subscriptions.flatMap((id) => {
    const drawn = random();
    if (drawn < CHURN_SHARE)
      return [{ id, verb: 'cancel', body: { cancelOption: 'endInterval', reason: 'too expensive' } }];
    if (drawn < CHURN_SHARE + PAUSE_SHARE)
      return [{ id, verb: 'pauseCollection', body: { invoicingBehavior: 'void' } }];
    if (drawn < CHURN_SHARE + PAUSE_SHARE + UPGRADE_SHARE) return [{ id, verb: 'update', body: null }];
    return [];
  });
  await inParallel(changes, async ({ id, verb, body }) => {
    const upgrade = { items: [{ offerId: catalogue.plans[1].offerId }] };
    const answer = await api('PATCH', `/v0/subscriptions/${id}/${verb}`, body ?? upgrade, { mayFail: true });
    if (verb === 'cancel' && answer) {
      counts.cancelled += 1;
      left.add(id);
    }
  });
  subscriptions = subscriptions.filter((id) => !left.has(id)).sort();
}

async function inParallel(items, work) {
  const waiting = [...items];
  const run = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
}

function showProgress(week) {
  const line = `week ${week} of ${WEEKS}: ${counts.sold} orders paid, ${subscriptions.length} subscriptions`;
  process.stdout.write(process.stdout.isTTY ? `\r${line.padEnd(70)}` : `${line}\n`);
}

/** The answer's data; null of one that may be refused. Waits where it is told to. */
async function api(method, target, body, { mayFail = false } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(origin + target, {
      method,
      headers: {
        'x-svc-public-key': keys.publicKey,
        'x-svc-secret-key': keys.secretKey,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    }).catch((error) => fail(`${origin} does not answer: ${error.cause?.message ?? error.message}`));
    const parsed = await answer.json();
    if (answer.status === 200) return parsed.data;
    const isBusy = answer.status === 429 || answer.status === 503 || parsed.error?.code === 'clock_advancing';
    if (isBusy && attempt < TRIES_MAX) {
      await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000);
      continue;
    }
    if (mayFail && answer.status < 500) return null;
    fail(`${method} ${target}: ${answer.status} ${JSON.stringify(parsed.error)}`);
  }
}
