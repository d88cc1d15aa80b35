import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const balancesOf = async (store: TestStore) => (await store.get('/v0/ledger/balances')).body.data.balances;
const proofOf = async (store: TestStore) => (await store.get('/v0/ledger/proof')).body.data.proof;

async function sell(price: number, fields: Record<string, unknown> = {}) {
  const offerId = await makeOffer(app.test, { price, currency: 'USD' });
  const { body } = await buy(app.test, { offersIds: [offerId], ...fields });
  return body.data;
}

describe('GET /v0/ledger/balances', () => {
  it('shows every account of each currency in use, after sales that were paid', async () => {
    expect(await balancesOf(app.test)).toEqual([]);
    const { payment } = await sell(4900);
    expect(payment).toMatchObject({ value: 5831, tax: 931, fee: 169 });
    await sell(1000, { card: '4000000000000002' });
    const zero = { currency: 'USD', debit: 0, credit: 0, balance: 0 };
    expect(await balancesOf(app.test)).toEqual([
      { ...zero, account: 'processor_clearing', debit: 5662, balance: 5662 },
      { ...zero, account: 'sales', credit: 4900, balance: -4900 },
      { ...zero, account: 'tax_payable', credit: 931, balance: -931 },
      { ...zero, account: 'fees', debit: 169, balance: 169 },
      { ...zero, account: 'refunds' },
      { ...zero, account: 'manual' },
      { ...zero, account: 'disputes' },
      { ...zero, account: 'conversion' },
      { ...zero, account: 'processor_other' },
      { ...zero, account: 'payouts' },
      { ...zero, account: 'refunds_payable' },
    ]);
    expect(await balancesOf(app.other)).toEqual([]);
    expect(await balancesOf(app.live)).toEqual([]);
  });
});

describe('GET /v0/ledger/proof', () => {
  it('finds no difference after a sale, and nothing to check where nothing was sold', async () => {
    await sell(1999);
    expect(await proofOf(app.test)).toMatchObject({ ok: true, differences: [] });
    expect(await proofOf(app.other)).toEqual({ ok: true, checkedEntries: 0, differences: [] });
  });

  it('posts nothing for what costs nothing', async () => {
    const before = await proofOf(app.test);
    const offerId = await makeOffer(app.test, { price: 0, currency: 'USD', freeProduct: true });
    expect((await buy(app.test, { offersIds: [offerId] })).body.data.payment.status).toBe('PAID');
    expect(await proofOf(app.test)).toEqual(before);
  });

  it('names the accounts that differ when the ledger holds what no payment says', async () => {
    const { payment } = await sell(1999);
    const before = await proofOf(app.test);
    await post(payment.id, [
      ['sales', -5],
      ['disputes', 5],
    ]);
    const { ok, checkedEntries, differences } = await proofOf(app.test);
    expect(ok).toBe(false);
    expect(checkedEntries).toBe(before.checkedEntries + 1);
    expect(differences).toEqual([
      { account: 'disputes', currency: 'USD', expected: 0, actual: 5 },
      { account: 'sales', currency: 'USD', expected: expect.any(Number), actual: expect.any(Number) },
    ]);
    expect(differences[1].actual - differences[1].expected).toBe(-5);
  });
});

/** Writes an entry past the flows, in one statement. */
async function post(paymentId: string, lines: Array<[string, number]>): Promise<void> {
  const { workspaceId } = app.test.scope;
  const [entryId, sourceId] = [randomUUID(), randomUUID()];
  const rows = lines.map(
    ([account, amount]) =>
      sql`(${workspaceId}, true, ${entryId}, ${account}, 'USD', ${amount}, 'charge', ${sourceId}, ${paymentId}, 1)`,
  );
  await sql`insert into ledger_entries (workspace_id, test_mode, entry_id, account, currency, amount, kind,
    source_id, payment_id, created_at) values ${sql.join(rows)}`.execute(app.service.db);
}

describe('the table of entries', () => {
  it('takes no entry that does not sum to 0', async () => {
    const { payment } = await sell(1999);
    const unbalanced = post(payment.id, [
      ['sales', -5],
      ['disputes', 4],
    ]);
    await expect(unbalanced).rejects.toThrow('does not sum to 0');
  });

  it('takes the posting of one charge once', async () => {
    const { payment } = await sell(1999);
    const again = sql`insert into ledger_entries select workspace_id, test_mode, ${randomUUID()}::uuid, account,
      currency, amount, kind, source_id, payment_id, created_at from ledger_entries where payment_id = ${payment.id}`;
    await expect(again.execute(app.service.db)).rejects.toThrow('unique');
  });

  it.each([
    ['an update', 'update ledger_entries set amount = amount + 1'],
    ['a delete', 'delete from ledger_entries'],
    ['a truncate', 'truncate ledger_entries'],
    [
      'a purge of another workspace',
      `set local counterfoil.purge = '${randomUUID()}'; delete from ledger_entries`,
    ],
  ])('refuses %s', async (_what, statement) => {
    await sell(1999);
    await expect(app.service.pool.query(statement)).rejects.toThrow('only ever added to');
  });

  it('lets a purge take the rows of the workspace that it names', async () => {
    await sell(1999);
    const { workspaceId } = app.test.scope;
    await app.service.pool.query(
      `set local counterfoil.purge = '${workspaceId}';
       delete from ledger_entries where workspace_id = '${workspaceId}'`,
    );
    expect((await proofOf(app.test)).checkedEntries).toBe(0);
  });
});
