/** Work that is due, and what it is about, over several nodes. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Scope } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { JobKind } from '../../src/domain/due-work.ts';
import { finishDueWork } from '../../src/resources/due-work/due-work.queries.ts';
import { findMail, insertMails } from '../../src/resources/mails/mails.queries.ts';
import { insertWorkspace } from '../../src/resources/workspaces/workspaces.queries.ts';
import { createClaims } from '../../src/worker/claims.ts';
import { buildService } from '../faults/service-process.ts';
import { createTestDatabase } from '../support/database.ts';
import { joinCluster, type TestCluster } from './cluster.ts';
import { runSpread } from './spread-command.ts';

const TRANSACTIONS = 10_000;
const WORKERS = 4;
const WRITERS = 8;
const WORKSPACES = 8;
const KIND: JobKind = 'send_mail';

let cluster: TestCluster;
let database: Database;
beforeAll(async () => {
  cluster = await joinCluster(await createTestDatabase());
  await buildService();
  const [url = ''] = cluster.urls;
  expect(await runSpread(url, ['apply', '--yes'])).toMatchObject({ code: 0 });
  const limits = { acquireTimeoutMs: 30_000, statementTimeoutMs: 30_000 };
  database = openDatabase({ connectionString: url, maxConnections: WORKERS + WRITERS, ...limits });
});
afterAll(async () => {
  await database?.close();
  await cluster?.drop();
});

async function makeWorkspaces(): Promise<Scope[]> {
  const ids = Array.from({ length: WORKSPACES }, () => randomUUID());
  for (const id of ids)
    await inTransaction(database.db, (tx) =>
      insertWorkspace(tx, { id, name: 'Shop', portalSlug: id.slice(0, 13), createdAt: 1_000 }),
    );
  return ids.map((workspaceId) => ({ workspaceId, testMode: true }));
}

async function write(scope: Scope, id: string): Promise<void> {
  const mail = { id, kind: 'receipt', key: id, recipient: 'ada@example.com', language: 'en', params: '{}' };
  await inTransaction(database.db, (tx) =>
    insertMails(tx, scope, [{ ...mail, createdAt: 1_000, heldBack: false }]),
  );
}

it('O17 of 10,000 transactions under 4 workers no due row is seen before what it is about', async () => {
  const scopes = await makeWorkspaces();
  const written = Array.from({ length: TRANSACTIONS }, () => randomUUID());
  const seen: string[] = [];
  const early: string[] = [];
  let left = TRANSACTIONS;
  const writer = async (place: number) => {
    for (let at = place; at < written.length; at += WRITERS) {
      const scope = scopes[at % scopes.length];
      if (scope) await write(scope, written[at] ?? '');
    }
  };
  const worker = async () => {
    const claims = createClaims({ db: database.db, log: console as never });
    const take = claims.ofKinds([KIND]);
    while (left > 0) {
      await claims.lookAnew();
      for (const work of await take(50)) {
        if (!(await findMail(database.db, work.scope, work.refId))) early.push(work.refId);
        await inTransaction(database.db, (tx) => finishDueWork(tx, work));
        seen.push(work.refId);
        left -= 1;
      }
    }
  };
  await Promise.all([
    ...Array.from({ length: WRITERS }, (_, place) => writer(place)),
    ...Array.from({ length: WORKERS }, worker),
  ]);
  expect(early).toEqual([]);
  expect(seen.length).toBe(TRANSACTIONS);
  expect(new Set(seen)).toEqual(new Set(written));
});
