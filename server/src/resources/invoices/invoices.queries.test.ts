import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, FORMS, openPool, type TestDatabase } from '../../../test/support/database.ts';
import { type Database, openDatabase, type Tx } from '../../db/database.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createWorkspace } from '../../flows/workspaces/create-workspace.ts';
import { createIds } from '../../main/ids.ts';
import { insertDocument } from './invoices.queries.ts';

const ids = createIds();
const NOW_MS = 1_767_225_600_000;
let made: TestDatabase;
let store: Database;
let scope: Scope;

beforeAll(async () => {
  made = await createTestDatabase();
  // Keys to other rows hold nothing here: a document needs its payment alone.
  const pool = openPool(made);
  await pool.query(`do $$ declare one record; begin
    for one in select conrelid::regclass as name, conname from pg_constraint
      where contype = 'f' and conrelid in ('payments'::regclass, 'invoices'::regclass) loop
      execute format('alter table %s drop constraint %I', one.name, one.conname);
    end loop;
  end $$`);
  await pool.end();
});
afterAll(() => made.drop());

async function addPayment(): Promise<string> {
  const id = randomUUID();
  const names = { orderId: randomUUID(), orderNumber: id, number: id, userId: randomUUID(), payToken: id };
  const facts = { type: 'one_time', status: 'PAID', value: 1_190n, tax: 190n, currency: 'EUR' } as const;
  await inTransaction(store.db, (tx) =>
    tx
      .insertInto('payments')
      .values({ ...scopeColumns(scope), id, ...names, ...facts, createdAt: NOW_MS })
      .execute(),
  );
  return id;
}

const write = (tx: Tx, { paymentId, atMs = NOW_MS }: { paymentId: string; atMs?: number }) =>
  insertDocument(tx, scope, {
    id: ids.next(NOW_MS),
    kind: 'invoice',
    series: 'RE-2026',
    orderId: randomUUID(),
    paymentId,
    refundId: null,
    refersTo: null,
    currency: 'EUR',
    total: 1_190n,
    tax: 190n,
    body: '{"seller":"Müller \\" € 😀"}',
    token: randomUUID(),
    atMs,
    isPaymentNumbered: true,
  });

const readWritten = () =>
  store.db
    .selectFrom('invoices as i')
    .innerJoin('payments as p', 'p.id', 'i.paymentId')
    .select(['i.number', 'i.position', 'i.finalisedAt', 'i.snapshot', 'i.snapshotSha256', 'p.invoiceNumber'])
    .where(inScope(scope, 'i'))
    .where(inScope(scope, 'p'))
    .orderBy('i.position')
    .execute();

function toExpected(position: number, finalisedAt: number) {
  const number = `RE-2026-${String(position).padStart(6, '0')}`;
  const snapshot = `{"number":"${number}","finalisedAt":${finalisedAt},"seller":"Müller \\" € 😀"}`;
  const snapshotSha256 = createHash('sha256').update(snapshot).digest('hex');
  return { number, position, finalisedAt, snapshot, snapshotSha256, invoiceNumber: number };
}

describe.each(FORMS)('documents in the %s form', (form) => {
  beforeAll(async () => {
    const limits = { maxConnections: 6, acquireTimeoutMs: 5_000, statementTimeoutMs: 10_000 };
    store = openDatabase({ ...made.poolConfig, ...limits, form });
    const owner = { ownerEmail: `${form}@owner.example`, ownerPasswordHash: 'not used' };
    const { workspaceId } = await inTransaction(store.db, (tx) =>
      createWorkspace(tx, ids, { name: form, ...owner, nowMs: NOW_MS }),
    );
    scope = { workspaceId, testMode: true };
  });
  afterAll(() => store.close());

  it('have each number once, with the same text and hash, and so has the payment', async () => {
    const payments = await Promise.all([1, 2, 3, 4].map(addPayment));
    const answers = await Promise.all(
      payments.map((paymentId) => inTransaction(store.db, (tx) => write(tx, { paymentId }))),
    );
    expect(answers.map(({ number }) => number).sort()).toEqual(
      [1, 2, 3, 4].map((position) => toExpected(position, NOW_MS).number),
    );
    const undone = inTransaction(store.db, async (tx) => {
      await write(tx, { paymentId: randomUUID() });
      throw new Error('the sale failed');
    });
    await expect(undone).rejects.toThrow('the sale failed');
    const earlier = { paymentId: await addPayment(), atMs: NOW_MS - 1 };
    // A series never goes back.
    const { finalisedAt } = await inTransaction(store.db, (tx) => write(tx, earlier));
    expect(finalisedAt).toBe(NOW_MS);
    expect(await readWritten()).toEqual([1, 2, 3, 4, 5].map((position) => toExpected(position, NOW_MS)));
  });
});
