/** Two processes that answer and two that work, over one store: under load, and while each of them is replaced. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { jumpClock } from '../support/clock.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { openFaultStore } from './fault-store.ts';
import {
  type Credentials,
  findFreePort,
  readCredentials,
  type ServiceProcess,
  spawnService,
} from './service-process.ts';

const PURCHASES = sizeOf(100, 1_000);
const RENEWALS = sizeOf(50, 500);
/** In each of which every process is replaced by another. */
const ROUNDS = sizeOf(1, 20);
const BUYERS_AT_ONCE = 8;
const PACE_MS = 10;
const RUNNING_MAX = 32;
const HOUR_MS = 3_600_000;
const LIMITS = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };
const ENV = { SEED_DEMO: 'false', DATABASE_CONNECTIONS_MAX: '6' };

const store = openFaultStore();
/** Sockets take turns, so that none of them rests for so long that it would be closed. */
const agent = new http.Agent({ keepAlive: true, maxSockets: 8, scheduling: 'fifo' });

interface Member {
  role: 'api' | 'worker';
  port: number;
  process: ServiceProcess;
}

const members: Member[] = [];
let database: Database;
let credentials: Credentials;
let offers: { pass: string; game: string };

async function start(role: Member['role'], port: number): Promise<ServiceProcess> {
  const { databaseUrl, dataDir } = store();
  const started = spawnService({ port, dataDir, databaseUrl, env: { ...ENV, ROLE: role } });
  await (role === 'api' ? started.ready() : started.said('is ready'));
  return started;
}

async function join(role: Member['role']): Promise<void> {
  const port = await findFreePort();
  members.push({ role, port, process: await start(role, port) });
}

beforeAll(async () => {
  // The first one fills the store.
  await join('api');
  await Promise.all([join('api'), join('worker'), join('worker')]);
  const { databaseUrl, dataDir } = store();
  credentials = await readCredentials(dataDir);
  database = openDatabase({ connectionString: databaseUrl, ...LIMITS });
  offers = { pass: await makeOffer('Subscription'), game: await makeOffer('Game') };
}, 300_000);

afterAll(async () => {
  agent.destroy();
  for (const { process } of members) process.signal('SIGKILL');
  await Promise.all(members.map(({ process }) => process.exited));
  await database?.close();
});

interface Answered {
  status: number;
  // What is read of it is looked at where it is used.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

function ask(port: number, method: string, path: string, body?: unknown): Promise<Answered> {
  const { publicKey, secretKey } = credentials.test;
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'x-svc-public-key': publicKey,
      'x-svc-secret-key': secretKey,
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
    };
    const request = http.request({ host: '127.0.0.1', port, agent, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
      response.on('error', reject);
    });
    request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const listPorts = () => members.filter(({ role }) => role === 'api').map(({ port }) => port);

/** Of those that answer, by turns. */
const portOf = (turn: number) => {
  const ports = listPorts();
  return ports[turn % ports.length] ?? 0;
};

async function makeOffer(type: string): Promise<string> {
  const product = await ask(portOf(0), 'POST', '/v0/products/create', { type, name: 'Rocket' });
  const recurring = type === 'Subscription' ? { recurringInterval: 'month', recurringIntervalCount: 1 } : {};
  const fields = { productId: product.body.data.product.id, price: 999, currency: 'EUR', ...recurring };
  const { body } = await ask(portOf(1), 'POST', '/v0/offers/create', fields);
  return body.data.offer.id;
}

const buy = (port: number, offerId: string, buyer: string) =>
  ask(port, 'POST', '/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail: `${buyer}@example.com`,
    billingDetails: { countryCode: 'DE' },
  });

async function count(of: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(`select count(*)::int as count from ${of}`);
  return rows[0]?.count ?? 0;
}

async function runAtOnce(total: number, work: (index: number) => Promise<void>): Promise<void> {
  const indexes = Array.from({ length: total }, (_, index) => index).values();
  const run = async () => {
    for (const index of indexes) await work(index);
  };
  await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, run));
}

describe('two processes that answer and two that work', () => {
  it(`O01 sell ${PURCHASES} times and renew ${RENEWALS} subscriptions, each once, and all that must hold does`, async () => {
    const statuses = new Map<number, number>();
    await runAtOnce(PURCHASES, async (index) => {
      const { status } = await buy(portOf(index), index < RENEWALS ? offers.pass : offers.game, `b${index}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    });
    expect([...statuses]).toEqual([[200, PURCHASES]]);
    const { rows } = await database.pool.query<{ workspaceId: string; end: string }>(
      `select workspace_id as "workspaceId", max(current_interval_end)::text as end from subscriptions group by 1`,
    );
    const scope = { workspaceId: rows[0]?.workspaceId ?? '', testMode: true };
    await jumpClock(database.db, scope, Number(rows[0]?.end) + HOUR_MS);
    const fromMs = performance.now();
    const renewed = `payments where type = 'subscription_interval' and status = 'PAID'`;
    await expect.poll(() => count(renewed), { interval: 50, timeout: 600_000 }).toBe(RENEWALS);
    const renewedWithinMs = Math.round(performance.now() - fromMs);
    expect(await count(`orders where status = 'PAID'`)).toBe(PURCHASES);
    expect(await count(`(select 1 from ${renewed} group by subscription_id having count(*) > 1) twice`)).toBe(
      0,
    );
    expect(await findViolations(database.db)).toEqual([]);
    tellFigures('O01', { purchases: PURCHASES, renewals: RENEWALS, renewedWithinMs });
  });

  it(`O02 are replaced one after the other, ${ROUNDS} times, at 100 requests a second: at worst a connection is refused`, async () => {
    const paidBefore = await count(`orders where status = 'PAID'`);
    const load = startLoad();
    for (let round = 0; round < ROUNDS; round += 1) {
      // As a fleet is rolled: never both of a kind.
      for (const place of [0, 1]) {
        const pair = (['worker', 'api'] as const).map(
          (role) => members.filter((member) => member.role === role)[place],
        );
        await Promise.all(pair.map((member) => member && replace(member)));
        await load.more();
      }
    }
    const { told, paid } = await load.end();
    expect(told.failures).toEqual([]);
    expect(told.answered).toBeGreaterThan(0);
    expect((await count(`orders where status = 'PAID'`)) - paidBefore).toBe(paid);
    expect(await findViolations(database.db)).toEqual([]);
    tellFigures('O02', { rounds: ROUNDS, answered: told.answered, refused: told.refused, paid });
  });
});

async function replace(member: Member): Promise<void> {
  member.process.signal('SIGTERM');
  expect(await member.process.exited).toMatchObject({ code: 0, signal: null });
  member.process = await start(member.role, member.port);
}

const isRefused = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';

/** At a steady pace, by turns to each process, and to the other where one refuses; a purchase in ten. */
function startLoad() {
  const told = { answered: 0, refused: 0, failures: [] as unknown[] };
  let paid = 0;
  let isOver = false;
  const running = new Set<Promise<void>>();
  const send = async (turn: number, port: number) =>
    turn % 10 === 0
      ? buy(port, offers.game, `late${turn}`)
      : ask(port, 'GET', turn % 2 === 0 ? '/v0/offers/list' : '/v0/orders/list?take=5');
  const one = async (turn: number) => {
    for (let tries = 0; tries < listPorts().length; tries += 1) {
      try {
        const { status, body } = await send(turn, portOf(turn + tries));
        if (status !== 200) told.failures.push({ status, body });
        else told.answered += 1;
        if (status === 200 && turn % 10 === 0) paid += 1;
        return;
      } catch (error) {
        if (!isRefused(error)) {
          told.failures.push(String(error));
          return;
        }
        told.refused += 1;
      }
    }
    told.failures.push('each of them refused');
  };
  const loop = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const request: Promise<void> = one(turn).finally(() => running.delete(request));
      running.add(request);
      if (running.size >= RUNNING_MAX) await Promise.race(running);
      await wait(PACE_MS);
    }
    await Promise.all(running);
  })();
  return {
    /** Some more are answered. */
    more: async () => {
      const before = told.answered;
      await expect.poll(() => told.answered, { interval: 10 }).toBeGreaterThan(before + 2 * RUNNING_MAX);
    },
    end: async () => {
      isOver = true;
      await loop;
      return { told, paid };
    },
  };
}
