/** What the buyers' portal answers in, beside 50 requests a second of the merchant's. */
import { setTimeout as delay } from 'node:timers/promises';
import { createApi, toHeaders, toPurchase } from './api.mjs';

const BESIDE_A_SECOND = 50;
const EMAIL = 'portal@example.com';

/** Prints the p95 of what a buyer with a purchase and a plan looks at, and of asking for a code. */
export async function printPortal({ origin, keys, rounds }) {
  const api = createApi(origin, keys);
  const { offers } = await api('GET', '/v0/offers/list?take=100');
  const isPlan = (offer) => offer.recurringInterval !== null;
  const sold = [offers.find((offer) => !isPlan(offer) && !offer.freeProduct), offers.find(isPlan)];
  for (const { id } of sold) {
    const { path, body } = toPurchase(id, EMAIL);
    await api('POST', path, { ...body, consent: true });
  }
  const portal = await signIn(api, origin);
  const { subscriptions } = await portal('GET', '/subscriptions/list');
  const paths = [
    ...['/overview', '/orders/list', '/documents/list', '/library/list', '/payment-methods/list', '/details'],
    ...['', '/upcoming-payment', '/plans'].map((end) => `/subscriptions/${subscriptions[0].id}${end}`),
  ];
  const beside = keepAsking(origin, keys);
  const times = [];
  const asked = [];
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const path of paths) times.push(await take(() => portal('GET', path)));
    for (let round = 0; round < rounds; round += 1) {
      const body = { store: portal.slug, testMode: true, email: `nobody-${round}@example.com` };
      asked.push(await take(() => portal('POST', '/sign-in/request', body)));
    }
  } finally {
    await beside.stop();
  }
  console.log(`the portal, beside ${BESIDE_A_SECOND} requests a second of the API`);
  print(`p95 of ${paths.length} operations, ms`, times, 60);
  print('p95 of asking for a code, ms', asked, 80);
}

/** As a browser that a merchant's link has opened. */
async function signIn(api, origin) {
  const { settings } = await api('GET', '/v0/settings');
  const { users } = await api('GET', `/v0/users/list?email=${encodeURIComponent(EMAIL)}`);
  const { portalSession } = await api('POST', '/v0/portal-sessions/create', { userId: users[0].id });
  const headers = {
    'x-svc-store': `${settings.portalSlug}/test`,
    origin,
    'content-type': 'application/json',
  };
  const ask = async (method, path, body) => {
    const answer = await fetch(`${origin}/v0/portal${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${text}`);
    return { cookies: answer.headers.getSetCookie(), data: JSON.parse(text).data };
  };
  const token = new URL(portalSession.url).pathname.split('/').at(-1);
  const { cookies } = await ask('POST', '/session/open', { token });
  headers.cookie = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
  return Object.assign(async (...asked) => (await ask(...asked)).data, { slug: settings.portalSlug });
}

/** Sends on time, whatever has been answered. */
function keepAsking(origin, keys) {
  let isOver = false;
  const open = new Set();
  const run = async () => {
    for (let due = performance.now(); !isOver; due += 1000 / BESIDE_A_SECOND) {
      await delay(Math.max(0, due - performance.now()));
      const one = fetch(`${origin}/v0/orders/list?take=20`, { headers: toHeaders(keys) })
        .then((answer) => answer.arrayBuffer())
        .finally(() => open.delete(one));
      open.add(one);
    }
  };
  const running = run();
  const stop = async () => {
    isOver = true;
    await running;
    await Promise.all(open);
  };
  return { stop };
}

async function take(work) {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function print(name, times, budget) {
  const sorted = times.toSorted((a, b) => a - b);
  const p95 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))];
  console.log(`  ${name.padEnd(44)}${p95.toFixed(0).padStart(16)}   budget ${budget}`);
}
