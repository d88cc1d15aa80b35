/** A shop that sells subscriptions through the API of a process of its own, and what time does to it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';
import type { Scope } from '../../src/db/scope.ts';
import { jumpClock } from '../support/clock.ts';
import { findFreePort, readCredentials, spawnService } from './service-process.ts';

export interface Sold {
  number: string;
  userId: string;
}

export interface ShopOptions {
  databaseUrl: string;
  dataDir: string;
  env?: Record<string, string>;
}

export interface Shop {
  scope: Scope;
  ask(method: string, path: string, body?: unknown): Promise<Answered>;
  /** Sells so many monthly subscriptions by a card that pays; by the index of the buyer another one is stored after it. */
  sell(
    count: number,
    cardOf?: (index: number) => string | null,
    /** What each purchase has besides, such as another processor. */
    fields?: Record<string, unknown>,
  ): Promise<Sold[]>;
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  /** The workspace's time. */
  now(): Promise<number>;
  /** Time goes by without anybody doing anything: what fell due meanwhile is due now. */
  jump(toMs: number): Promise<void>;
  close(): Promise<void>;
}

// What is read of an answer is looked at where it is used.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Answered = any;

/** What a process may hold; a test's server has 60 for all that run beside each other. */
export const FEW_CONNECTIONS = { DATABASE_CONNECTIONS_MAX: '4' };
const BUYERS_AT_ONCE = 4;
const TRIES_MAX = 30;
const RETRY_AFTER_MS = 500;
const LIMITS = { maxConnections: 2, acquireTimeoutMs: 30_000, statementTimeoutMs: 60_000 };

export async function openShop({ databaseUrl, dataDir, env = {} }: ShopOptions): Promise<Shop> {
  const connection = { connectionString: databaseUrl, application_name: 'shop' };
  const pool = new pg.Pool({ ...connection, max: 2, statement_timeout: LIMITS.statementTimeoutMs });
  // Without a listener a connection that breaks while idle would end the process and hide what had gone wrong.
  pool.on('error', () => {});
  const port = await findFreePort();
  const api = spawnService({ port, dataDir, databaseUrl, env: { SEED_DEMO: 'false', ...env, ROLE: 'api' } });
  await api.ready();
  const { test } = await readCredentials(dataDir);
  const headers = {
    'content-type': 'application/json',
    'x-svc-public-key': test.publicKey,
    'x-svc-secret-key': test.secretKey,
  };

  /** As a good client does: what is answered 503 is sent again, under its key. */
  async function ask(method: string, path: string, body?: unknown): Promise<Answered> {
    const key: Record<string, string> = method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(api.baseUrl + path, { method, headers: { ...headers, ...key }, ...sent });
      const answer = (await response.json()) as Answered;
      if (response.status === 200) return answer.data;
      if (response.status !== 503 || tries === TRIES_MAX) {
        throw new Error(`${method} ${path}: ${JSON.stringify(answer)}\n${api.output().slice(-4000)}`);
      }
      await wait(RETRY_AFTER_MS);
    }
  }
  const query = async <T extends object>(text: string, values?: unknown[]) =>
    (await pool.query<T>(text, values)).rows;

  const offerId = await makePlan(ask);
  const [{ workspaceId } = { workspaceId: '' }] = await query<{ workspaceId: string }>(
    `select workspace_id as "workspaceId" from offers`,
  );
  const scope = { workspaceId, testMode: true };
  let buyers = 0;

  async function sellOne(card: string | null, fields: Record<string, unknown>): Promise<Sold> {
    buyers += 1;
    const { subscription } = await ask('POST', '/v0/test-purchases/create', {
      offersIds: [offerId],
      userEmail: `buyer-${buyers}@example.com`,
      billingDetails: { countryCode: 'DE' },
      ...fields,
    });
    const { id: number, userId } = subscription;
    if (card !== null) {
      const paymentData = { sandboxCustomerId: `card_${card}` };
      await ask('PATCH', `/v0/users/${userId}/update`, { paymentData });
    }
    return { number, userId };
  }

  async function now(): Promise<number> {
    const [row] = await query<{ now: string }>(
      'select real_now_ms() + clock_offset_ms as now from stores where workspace_id = $1 and test_mode',
      [workspaceId],
    );
    return Number(row?.now);
  }

  return {
    scope,
    ask,
    query,
    now,
    async sell(count, cardOf = () => null, fields = {}) {
      const sold: Sold[] = [];
      const indexes = Array.from({ length: count }, (_, index) => index).values();
      const buy = async () => {
        for (const index of indexes) sold.push(await sellOne(cardOf(index), fields));
      };
      await Promise.all(Array.from({ length: BUYERS_AT_ONCE }, buy));
      return sold;
    },
    async jump(toMs) {
      const { db, close } = openDatabase({ connectionString: databaseUrl, ...LIMITS });
      try {
        await jumpClock(db, scope, toMs);
      } finally {
        await close();
      }
    },
    async close() {
      api.signal('SIGKILL');
      await api.exited;
      await pool.end();
    },
  };
}

async function makePlan(ask: Shop['ask']): Promise<string> {
  const { product } = await ask('POST', '/v0/products/create', { type: 'Subscription', name: 'Pass' });
  const recurring = { recurringInterval: 'month', recurringIntervalCount: 1 };
  const { offer } = await ask('POST', '/v0/offers/create', {
    productId: product.id,
    price: 999,
    currency: 'EUR',
    ...recurring,
  });
  return offer.id;
}
