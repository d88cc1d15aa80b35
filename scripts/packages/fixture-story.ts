/** What is done to a release's service, through its API alone, until its store is in every state. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  authenticates: '4000002500003155',
  paysOnce: '4000000000000341',
  disputed: '4000000000000259',
};
const READY_WITHIN_MS = 120_000;

export interface Storied {
  root: string;
  databaseUrl: string;
  dataDir: string;
  secretsKey: string;
}

interface Pair {
  publicKey: string;
  secretKey: string;
}

/** Of the first workspace; nothing that they open is anybody's. */
export interface FixtureKeys {
  test: Pair;
  live: Pair;
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any release are read for a field or two.
type Data = any;
type Call = (method: string, route: string, body?: object) => Promise<Data>;

export async function tellStory({ root, databaseUrl, dataDir, secretsKey }: Storied): Promise<FixtureKeys> {
  const receiver = await openReceiver();
  const port = await freePort();
  const { NODE_ENV: _one, ...inherited } = process.env;
  const service = spawn(process.execPath, [path.join(root, 'server/dist/run/start.js')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...{ ...inherited, ENV_FILE: '', PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
      ...{ DATABASE_URL: databaseUrl, DATA_DIR: dataDir, SECRETS_KEY: secretsKey },
      ...{ EGRESS_ALLOW_CIDRS: '127.0.0.1/32', RATE_LIMIT_TEST: '0', RATE_LIMIT_LIVE: '0' },
    },
  });
  try {
    const origin = `http://127.0.0.1:${port}`;
    await untilReady(origin, service);
    const { test, live } = JSON.parse(
      readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'),
    ) as FixtureKeys;
    const hook = `http://127.0.0.1:${portOf(receiver)}`;
    await tell(callerOf(origin, test), { origin, hook });
    await callerOf(origin, live)('POST', '/v0/products/create', { type: 'Game', name: 'Sold live one day' });
    return { test, live };
  } finally {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
    receiver.close();
  }
}

/** Old things first, then a season of the clock, then what is under way today. */
async function tell(call: Call, { origin, hook }: { origin: string; hook: string }): Promise<void> {
  const { product } = await call('POST', '/v0/products/create', { type: 'Game', name: 'Lantern Bay' });
  const { product: club } = await call('POST', '/v0/products/create', { type: 'Subscription', name: 'Club' });
  const offerOf = async (more: object) =>
    (await call('POST', '/v0/offers/create', { price: 1999, currency: 'EUR', ...more })).offer.id as string;
  const game = await offerOf({ productId: product.id });
  const month = { productId: club.id, recurringInterval: 'month', recurringIntervalCount: 1 };
  const plan = await offerOf({ ...month, price: 900 });
  const trial = await offerOf({ ...month, price: 1900, trialInterval: 'day', trialIntervalCount: 14 });
  const events = ['payment_success', 'payment_refunded', 'subscription_updated'];
  await call('POST', '/v0/webhooks/create', { url: `${hook}/taken`, events });
  await call('POST', '/v0/webhooks/create', { url: `${hook}/refused`, events });
  const off = await call('POST', '/v0/webhooks/create', { url: `${hook}/off`, events });
  await call('PATCH', `/v0/webhooks/${off.webhook.id}/update`, { status: 'inactive' });
  let buyers = 0;
  const buy = (offerId: string, card: string) => {
    buyers += 1;
    return call('POST', '/v0/test-purchases/create', {
      ...{ offersIds: [offerId], userEmail: `buyer${buyers}@example.com`, card },
      billingDetails: { firstName: 'Ada', lastName: 'Novak', countryCode: 'DE' },
    });
  };
  const advance = async (by: object) => {
    await call('POST', '/v0/test-clock/advance', { by });
    await untilStill(call);
  };
  for (const card of Object.values(CARDS)) for (const offer of [game, plan, trial]) await buy(offer, card);
  await advance({ days: 20 });
  for (let weeks = 0; weeks < 8; weeks += 1) await advance({ weeks: 1 });
  // Its second month is owed for a day or two.
  await buy(plan, CARDS.paysOnce);
  await advance({ days: 32 });
  await tellToday(call, { buy, game, plan, trial });
  const { invoices } = await call('GET', '/v0/payments/list').then(({ payments }) => ({
    invoices: payments,
  }));
  for (const { invoiceUrl } of invoices.slice(0, 3))
    if (invoiceUrl)
      await fetch(`${origin}${new URL(invoiceUrl).pathname}`).then((answer) => answer.arrayBuffer());
}

interface Selling {
  buy: (offerId: string, card: string) => Promise<Data>;
  game: string;
  plan: string;
  trial: string;
}

async function tellToday(call: Call, { buy, game, plan, trial }: Selling): Promise<void> {
  for (const card of Object.values(CARDS)) for (const offer of [game, plan, trial]) await buy(offer, card);
  const partly = await buy(game, CARDS.good);
  await call('POST', `/v0/orders/${partly.order.id}/refunds`, { amount: 500 });
  const wholly = await buy(game, CARDS.good);
  await call('POST', `/v0/orders/${wholly.order.id}/refunds`, {});
  const waiting = await buy(game, CARDS.authenticates);
  await call('PATCH', `/v0/orders/${waiting.order.id}/cancel`, {});
  const ending = await buy(plan, CARDS.good);
  await call('PATCH', `/v0/subscriptions/${ending.subscription.id}/cancel`, { cancelOption: 'endInterval' });
  const ended = await buy(plan, CARDS.good);
  await call('PATCH', `/v0/subscriptions/${ended.subscription.id}/cancel`, { cancelOption: 'immediately' });
  const paused = await buy(plan, CARDS.good);
  const pause = { invoicingBehavior: 'void' };
  await call('PATCH', `/v0/subscriptions/${paused.subscription.id}/pauseCollection`, pause);
}

function callerOf(origin: string, keys: Pair): Call {
  return async (method, route, body) => {
    for (;;) {
      const answer = await fetch(origin + route, {
        method,
        headers: {
          ...{ 'x-svc-public-key': keys.publicKey, 'x-svc-secret-key': keys.secretKey },
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const { data, error } = (await answer.json()) as { data?: Data; error?: { code: string } };
      if (answer.status === 200) return data;
      // A purchase that is declined has come to what it was made for.
      if (answer.status === 402 || error?.code === 'payment_failed') return data;
      if (error?.code !== 'clock_advancing')
        throw new Error(`${method} ${route}: ${answer.status} ${JSON.stringify(error)}`);
      await wait(200);
    }
  };
}

async function untilStill(call: Call): Promise<void> {
  for (;;) {
    const { testClock } = await call('GET', '/v0/test-clock');
    if (testClock.status === undefined || testClock.status === 'ready' || testClock.advancingTo === null)
      return;
    await wait(200);
  }
}

async function untilReady(origin: string, service: ChildProcess): Promise<void> {
  const untilMs = performance.now() + READY_WITHIN_MS;
  while (performance.now() < untilMs && service.exitCode === null) {
    if ((await fetch(`${origin}/readyz`).catch(() => null))?.status === 200) return;
    await wait(100);
  }
  throw new Error('the service of the release was not ready');
}

/** Takes what comes to one path, and nothing of another. */
async function openReceiver(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/refused' ? 500 : 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

async function freePort(): Promise<number> {
  const server = await openReceiver();
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
