/** An embedded store that nobody uses: each word in its log makes a segment that is archived. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type EmbeddedStore, openEmbeddedStore } from '../../src/db/embedded/store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sendAccountMails } from '../../src/flows/accounts/send-account-mails.ts';
import { keepBeating } from '../../src/main/process-beat.ts';
import { keepBooks, keepProcessors } from '../../src/main/processor-care.ts';
import { createRounds } from '../../src/main/rounds.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

const TEN_MINUTES_MS = 600_000;

let dataDir: string;
let store: EmbeddedStore;
let app: TestApp;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-idle-'));
  // One that is not durable clears up nothing behind our back.
  store = await openEmbeddedStore({ dataDir, log: () => {}, durable: false });
  await migrate({ connectionString: store.url });
  const env = { METRICS_TOKEN: 'a token that somebody scrapes by' };
  app = await createTestApp(env, undefined, { through: async () => store.url });
}, 120_000);
afterAll(async () => {
  vi.useRealTimers();
  await app?.close();
  await store?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** How many bytes were ever written to the log. */
async function readPosition(): Promise<number> {
  const { rows } = await app.service.pool.query<{ position: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position`,
  );
  return rows[0]?.position ?? 0;
}

async function untilQuiet(): Promise<void> {
  const { pool } = app.service;
  await expect.poll(() => pool.waitingCount + pool.totalCount - pool.idleCount, { interval: 100 }).toBe(0);
}

/** What a process does by itself in ten minutes, and what a scrape asks of it. */
async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(TEN_MINUTES_MS);
  const { service, requestLog, authenticator, worker, metrics } = app.wired;
  await Promise.all([requestLog.flush(), authenticator.flush(), sendAccountMails(service)]);
  await service.clock.releaseAbandoned();
  await metrics?.read();
  // Its rounds begin with its start.
  worker.start();
  await untilQuiet();
  await worker.stop();
}

it('O23 writes nothing to the log of an embedded store that rests', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await keepBeating(app.service, app.wired.witness);
  const rounds = createRounds();
  keepProcessors(app.service, rounds);
  keepBooks(app.service, app.wired.books, rounds);
  await rest();
  const before = await readPosition();
  await rest();
  await rest();
  expect((await readPosition()) - before).toBe(0);
});
