/** All SQL of the ledger. */
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { LedgerEntriesTable } from '../../db/schema/figures.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import type { Account } from '../../domain/ledger/entries.ts';

export type LedgerKind = LedgerEntriesTable['kind'];

/** One entry with its lines, which sum to 0. */
export interface NewEntry
  extends Omit<LedgerEntriesTable, 'workspaceId' | 'testMode' | 'account' | 'amount'> {
  rows: Array<Pick<LedgerEntriesTable, 'account' | 'amount'>>;
}

const insertion = keepQuery((db, { rows, ...entry }: Scope & NewEntry) =>
  db.insertInto('ledgerEntries').values(rows.map((row) => ({ ...entry, ...row }))),
);

export async function insertEntry(tx: Tx, scope: Scope, entry: NewEntry): Promise<void> {
  await insertion(tx, { ...entry, ...scopeColumns(scope) });
}

/** Sums of each account that was ever posted to. */
export async function listBalances(db: Db, scope: Scope) {
  return db
    .selectFrom('ledgerEntries')
    .select([
      'account',
      'currency',
      sql<bigint>`coalesce(sum(amount) filter (where amount > 0), 0)`.as('debit'),
      sql<bigint>`coalesce(-sum(amount) filter (where amount < 0), 0)`.as('credit'),
    ])
    .where(inScope(scope))
    .groupBy(['account', 'currency'])
    .execute();
}

export type BalanceRow = Awaited<ReturnType<typeof listBalances>>[number];

export interface Difference {
  account: Account;
  currency: string;
  /** What payments, refunds and disputes say. */
  expected: bigint;
  /** What the ledger says. */
  actual: bigint;
}

/** One statement, and so one moment of the store: a sale in between would look like a difference. */
export async function proveLedger(
  db: Db,
  { workspaceId, testMode }: Scope,
): Promise<{ checkedEntries: number; differences: Difference[] }> {
  const { rows } = await sql<{
    checkedEntries: number;
    differences: Array<Record<keyof Difference, string>>;
  }>`
    with moved as (${toMoved({ workspaceId, testMode })}), expected as (
      select account, currency, sum(amount) as amount from moved
      where workspace_id = ${workspaceId} and test_mode = ${testMode} group by account, currency
    ), posted as (
      select entry_id, account, currency, amount from ledger_entries
      where workspace_id = ${workspaceId} and test_mode = ${testMode}
    ), actual as (
      select account, currency, sum(amount) as amount from posted group by account, currency
    )
    select (select count(distinct entry_id) from posted) as checked_entries, (
      select coalesce(jsonb_agg(jsonb_build_object('account', account, 'currency', currency,
        'expected', coalesce(e.amount, 0)::text, 'actual', coalesce(a.amount, 0)::text)
        order by currency, account), '[]')
      from expected e full join actual a using (account, currency)
      where coalesce(e.amount, 0) <> coalesce(a.amount, 0)) as differences`.execute(db);
  const { checkedEntries = 0, differences = [] } = rows[0] ?? {};
  return { checkedEntries, differences: differences.map(toDifference) };
}

function toDifference({ account, currency, expected, actual }: Record<keyof Difference, string>): Difference {
  // The column's check lets no other account in, and the expected ones are written in `MOVED_MONEY`.
  return { account: account as Account, currency, expected: BigInt(expected), actual: BigInt(actual) };
}

const toMoneyAccount = (processor: string) =>
  `case ${processor} when 'manual' then 'manual' else 'processor_clearing' end`;

/** Of one store: each table by its own workspace, so that a spread store asks one node. */
function toMoved(scope: Scope): RawBuilder<unknown> {
  const parts = MOVED.split(/\{(\w)\}/).map((part, place) =>
    place % 2 ? inScope(scope, part) : sql.raw(part),
  );
  return sql.join(parts, sql``);
}

/**
 * What the ledger must hold, read from the sale's own tables: lines (workspace_id, test_mode, account,
 * currency, amount), debit positive, that sum to each balance. Written apart from the postings on purpose,
 * so that a mistake in one of the two shows. `{p}` stands for which stores the rows of `p` are of.
 */
const MOVED = `
  select p.workspace_id, p.test_mode, line.account, p.currency, line.amount
  from payments p
  join charges c on c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.payment_id = p.id
    and c.status = 'succeeded' and c.reversed_at is null
  -- Other money than was asked for, and accepted: its difference lies apart.
  cross join lateral (select coalesce(c.taken_amount, p.value) as taken,
    case when c.taken_amount is null then p.fee else c.fee end as fee) of_charge
  cross join lateral (values (${toMoneyAccount('c.processor')}, taken - of_charge.fee), ('fees', of_charge.fee),
    ('sales', p.tax - p.value), ('tax_payable', -p.tax), ('processor_other', p.value - taken)) as line (account, amount)
  where {p} and {c} and p.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') and p.value > 0
    and coalesce(c.taken_currency, p.currency) = p.currency
  union all
  -- The same in another currency than the payment's: each of the two has its own lines.
  select p.workspace_id, p.test_mode, line.account, line.currency, line.amount
  from payments p
  join charges c on c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.payment_id = p.id
    and c.status = 'succeeded' and c.reversed_at is null
  cross join lateral (values ('conversion', p.currency, p.value), ('sales', p.currency, p.tax - p.value),
    ('tax_payable', p.currency, -p.tax), ('conversion', c.taken_currency, -c.taken_amount),
    ('fees', c.taken_currency, c.fee),
    (${toMoneyAccount('c.processor')}, c.taken_currency, c.taken_amount - c.fee)) as line (account, currency, amount)
  where {p} and {c} and p.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED') and p.value > 0 and c.taken_currency <> p.currency
  union all
  -- Money that came too late, or was not wanted, and went back: what is left of it is the fee.
  select c.workspace_id, c.test_mode, line.account, coalesce(c.taken_currency, c.currency), line.amount
  from charges c
  cross join lateral (values (${toMoneyAccount('c.processor')}, -c.fee), ('fees', c.fee)) as line (account, amount)
  where {c} and c.reversed_at is not null
  union all
  select r.workspace_id, r.test_mode, line.account, r.currency, line.amount
  from refunds r
  cross join lateral (values (${toMoneyAccount('r.processor')}, -r.amount), ('refunds', r.amount - r.tax),
    ('tax_payable', r.tax)) as line (account, amount)
  where {r} and r.status = 'succeeded'
  union all
  -- What came back although it was given back, and what of it somebody has paid outside, or given back there once more.
  select r.workspace_id, r.test_mode, line.account, r.currency, line.amount
  from refunds r
  cross join lateral (values ('processor_clearing', case when r.return_settled_there then 0 else r.amount end),
    ('manual', case when r.return_settled_at is null or r.return_settled_there then 0 else -r.amount end),
    ('refunds_payable', case when r.return_settled_at is null then -r.amount else 0 end)) as line (account, amount)
  where {r} and r.returned_at is not null
  union all
  -- What a processor tells of its own books, beside what is posted for rows of ours.
  select m.workspace_id, m.test_mode, line.account, m.currency, line.amount
  from processor_movements m
  cross join lateral (values
    ('processor_clearing', m.amount - m.fee - m.own_amount + m.own_fee), ('fees', m.fee - m.own_fee),
    (m.account, m.own_amount - m.amount)) as line (account, amount)
  where {m} and m.status <> 'waiting' and m.currency = m.own_currency
  union all
  select m.workspace_id, m.test_mode, line.account, line.currency, line.amount
  from processor_movements m
  cross join lateral (values
    ('processor_clearing', m.own_currency, m.own_fee - m.own_amount), ('fees', m.own_currency, -m.own_fee),
    ('conversion', m.own_currency, m.own_amount), ('processor_clearing', m.currency, m.amount - m.fee),
    ('fees', m.currency, m.fee), ('conversion', m.currency, -m.amount)) as line (account, currency, amount)
  where {m} and m.status <> 'waiting' and m.currency <> m.own_currency
  union all
  -- A lost dispute has a refund, a won one has left nothing.
  select d.workspace_id, d.test_mode, line.account, d.currency, line.amount
  from disputes d
  cross join lateral (values ('processor_clearing', -d.amount), ('disputes', d.amount)) as line (account, amount)
  where {d} and d.status = 'open'`;

/** Of all stores. */
export const MOVED_MONEY = MOVED.replaceAll(/\{\w\}/g, 'true');
