/** The rows behind each figure: what a point is the sum of, part by part. */
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scope } from '../../db/scope.ts';
import type { Metric } from '../../domain/figures/metrics.ts';
import { DAY_MS, toDays } from '../../domain/figures/utc-days.ts';
import { SOURCES } from './facts.sql.ts';

type Sql = RawBuilder<unknown>;

export type RowObject = 'payment' | 'order' | 'subscription' | 'user';

export interface RowsWindow {
  scope: Scope;
  fromMs: number;
  toMs: number;
  currency: string;
  /** Rows of one type or country of payment alone; null = all. A country of null is that of payments without one. */
  group: { by: 'type' | 'country'; value: string | null } | null;
}

/** Of a row: its moment, a key that is unique in its moment, the object and its row's id, and what it adds to the sum. */
export type SelectRows = (window: RowsWindow, page: RowsPage) => Sql;

/** Newest first: rows after one that was shown, if any. */
export interface RowsPage {
  after: { at: number; key: string } | null;
  limit: number;
}

export interface RowsPart {
  part: 'numerator' | 'denominator' | null;
  object: RowObject;
  /** Added up as one list. Each reads along an index. */
  selects: readonly SelectRows[];
}

/** `f` with what every select of rows asks of it. */
function within(window: RowsWindow, { at, paymentId }: { at: Sql; paymentId: Sql | null }): Sql {
  const { scope, fromMs, toMs, currency, group } = window;
  const grouped =
    group === null || paymentId === null
      ? sql.raw('')
      : sql`and exists (select from payments g where ${inScope(scope, 'g')} and g.id = ${paymentId}
          and g.${sql.raw(group.by)} is not distinct from ${group.value})`;
  return sql`${inScope(scope, 'f')} and f.currency = ${currency}
    and ${at} >= ${fromMs}::bigint and ${at} < ${toMs}::bigint ${grouped}`;
}

/** What a page asks, of the expressions themselves: only so is a list read along its index, no further than it goes. */
function behind({ after }: RowsPage, at: Sql, key: Sql): Sql {
  return after ? sql`and (${at}, ${key}) < (${after.at}::bigint, ${after.key}::uuid)` : sql.raw('');
}

function inOrder({ limit }: RowsPage, at: Sql, key: Sql): Sql {
  return sql`order by ${at} desc, ${key} desc limit ${limit}`;
}

/** Entries of one kind, a row each; `amount` is of its lines. */
function entries(kind: string, amount: string): SelectRows {
  const [at, key] = [sql.raw('f.created_at'), sql.raw('f.entry_id')];
  return (window, page) => sql`select ${at} as at, ${key} as key, (array_agg(f.payment_id))[1] as ref,
      sum(${sql.raw(amount)}) as amount
    from ledger_entries f
    where ${within(window, { at, paymentId: sql.raw('f.payment_id') })} and f.kind = ${sql.lit(kind)} ${behind(page, at, key)}
    group by ${at}, ${key} having sum(${sql.raw(amount)}) <> 0
    ${inOrder(page, at, key)}`;
}

const of = (accounts: readonly string[], amount = 'f.amount') =>
  `case when f.account in (${accounts.map((name) => `'${name}'`).join(', ')}) then ${amount} else 0 end`;

/** A fee that was taken in another currency, in the payment's own. */
function convertedFees(sign: '' | '-'): SelectRows {
  const [at, key] = [sql.raw('f.created_at'), sql.raw('f.entry_id')];
  return (window, page) => sql`select ${at} as at, ${key} as key, f.payment_id as ref,
      ${sql.raw(sign)}p.fee as amount
    from ledger_entries f
    join payments p on ${inScope(window.scope, 'p')} and p.id = f.payment_id and p.fee <> 0
    where ${within(window, { at, paymentId: sql.raw('f.payment_id') })}
      and f.kind = 'conversion_out' and f.account = 'conversion' ${behind(page, at, key)}
    ${inOrder(page, at, key)}`;
}

type SourceName = 'payments' | 'firsts' | 'charges' | 'recoveries' | 'disputes' | 'trials';

/** Rows of a source that count for a measure, by what they add to it. */
function factsOf(name: SourceName, measure: string, ref: string, keyName = 'f.id'): SelectRows {
  const key = sql.raw(keyName);
  return (window, page) => {
    const source = SOURCES[name];
    const expression = source?.measures[measure as keyof typeof source.measures]?.(window.scope);
    if (!source || !expression) throw new Error(`${name} tells nothing of ${measure}`);
    const { at } = source;
    return sql`select ${at} as at, ${key} as key, ${sql.raw(ref)} as ref, (${expression})::numeric as amount
      from ${sql.raw(source.table)} f
      where ${within(window, source)} and ${source.where(window.scope)} and (${expression}) <> 0 ${behind(page, at, key)}
      ${inOrder(page, at, key)}`;
  };
}

const MOVED = { at: sql.raw('f.at'), key: sql.raw('f.subscription_id') };

/** Two movements of one kind in one moment are one row. */
function movements(kind: string, amount = 'sum(f.delta)'): SelectRows {
  const { at, key } = MOVED;
  return (window, page) => sql`select ${at}, ${key} as key, ${key} as ref, ${sql.raw(amount)} as amount
    from mrr_movements f
    where ${within(window, { at, paymentId: null })} and f.kind = ${sql.lit(kind)} ${behind(page, at, key)}
    group by ${at}, ${key} ${inOrder(page, at, key)}`;
}

/** What each subscription brings at the window's end, or at its beginning; its moment is that of its last movement. */
function standing(amount: string, moment: 'from' | 'to' = 'to'): SelectRows {
  const { at, key } = MOVED;
  return (window, page) => {
    const atMs = moment === 'to' ? window.toMs : window.fromMs;
    return sql`select ${at}, ${key} as key, ${key} as ref, ${sql.raw(amount)} as amount
      from mrr_movements f
      where ${within({ ...window, fromMs: 0, toMs: atMs }, { at, paymentId: null })} and f.after > 0
        and not exists (select from mrr_movements l where ${inScope(window.scope, 'l')}
          and l.subscription_id = f.subscription_id and l.position > f.position and l.at < ${atMs}::bigint offset 0)
        ${behind(page, at, key)}
      ${inOrder(page, at, key)}`;
  };
}

/** Orders by the view of their checkout, of whole UTC days: see `toDays`. `from`: all up to the conditions of the window. */
const viewed =
  (column: string, from: (scope: Scope) => Sql): SelectRows =>
  (window, page) => {
    const [at, key] = [sql.raw(column), sql.raw('f.id')];
    const { fromDay, toDay } = toDays(window);
    const days = { ...window, fromMs: fromDay * DAY_MS, toMs: toDay * DAY_MS };
    return sql`select ${at} as at, ${key} as key, ${key} as ref, 1::numeric as amount
      ${from(window.scope)} and ${within(days, { at, paymentId: null })} ${behind(page, at, key)}
      ${inOrder(page, at, key)}`;
  };

const viewedAndPaid = viewed(
  's.viewed_at',
  (scope) => sql`from checkout_sessions s
    join orders f on f.id = s.order_id and f.paid_at is not null
    where ${inScope(scope, 's')}`,
);
/** The same of those whose checkout has gone since. */
const viewedAndPaidLongAgo = viewed(
  'f.viewed_at',
  () => sql`from orders f where f.viewed_at is not null and f.paid_at is not null`,
);

const one = (object: RowObject, ...selects: SelectRows[]): RowsPart[] => [{ part: null, object, selects }];
const ratio = (over: RowsPart[], under: RowsPart[]): RowsPart[] => [
  ...over.map((part) => ({ ...part, part: 'numerator' as const })),
  ...under.map((part) => ({ ...part, part: 'denominator' as const })),
];

const SOLD = of(['sales', 'tax_payable'], '-f.amount');
const GIVEN_BACK = of(['refunds', 'tax_payable']);
const TAX = of(['tax_payable'], '-f.amount');
const FEE = of(['fees']);

const gross = one('payment', entries('charge', SOLD));
const refunds = one('payment', entries('refund', GIVEN_BACK), entries('dispute_lost', GIVEN_BACK));
const failures = one('payment', factsOf('charges', 'firstFailures', 'f.payment_id'));
const churned = one('subscription', movements('churn', 'count(*)::numeric'));
const moved = (kind: string) => one('subscription', movements(kind));

export const ROWS: Readonly<Record<Metric, readonly RowsPart[]>> = {
  grossVolume: gross,
  refunds,
  fees: one(
    'payment',
    entries('charge', FEE),
    entries('reversal_in', FEE),
    entries('fee', FEE),
    convertedFees(''),
  ),
  taxCollected: one('payment', entries('charge', TAX), entries('refund', TAX), entries('dispute_lost', TAX)),
  accountFees: [],
  netVolume: one(
    'payment',
    entries('charge', of(['sales', 'fees'], '-f.amount')),
    entries('refund', of(['refunds'], '-f.amount')),
    entries('dispute_lost', of(['refunds'], '-f.amount')),
    entries('reversal_in', of(['fees'], '-f.amount')),
    entries('fee', of(['fees'], '-f.amount')),
    convertedFees('-'),
  ),
  orders: one('order', factsOf('payments', 'orders', 'f.order_id')),
  newCustomers: one('user', factsOf('firsts', 'newCustomers', 'f.user_id')),
  averageOrderValue: ratio(
    one('order', factsOf('payments', 'initialValue', 'f.order_id')),
    one('order', factsOf('payments', 'initialPayments', 'f.order_id')),
  ),
  failedPaymentRate: ratio(failures, one('payment', factsOf('charges', 'firstCharges', 'f.payment_id'))),
  recoveredRate: ratio(one('payment', factsOf('recoveries', 'recovered', 'f.id')), failures),
  refundRate: ratio(refunds, gross),
  disputeRate: ratio(
    one('payment', factsOf('disputes', 'disputes', 'f.payment_id', 'f.id')),
    one('payment', factsOf('payments', 'paidPayments', 'f.id')),
  ),
  checkoutConversion: one('order', viewedAndPaid, viewedAndPaidLongAgo).map((part) => ({
    ...part,
    part: 'numerator' as const,
  })),
  trialConversion: ratio(
    one('subscription', factsOf('trials', 'trialsPaid', 'f.id')),
    one('subscription', factsOf('trials', 'trialsDecided', 'f.id')),
  ),
  mrr: one('subscription', standing('f.after')),
  arr: one('subscription', standing('12 * f.after')),
  activeSubscriptions: one('subscription', standing('1::numeric')),
  mrrNew: moved('new'),
  mrrExpansion: moved('expansion'),
  mrrContraction: moved('contraction'),
  mrrChurn: moved('churn'),
  mrrReactivation: moved('reactivation'),
  mrrPaused: moved('paused'),
  mrrResumed: moved('resumed'),
  mrrImported: moved('imported'),
  subscriberChurnRate: ratio(churned, one('subscription', standing('1::numeric', 'from'))),
  mrrChurnRate: ratio(
    one('subscription', movements('churn', '-sum(f.delta)'), movements('contraction', '-sum(f.delta)')),
    one('subscription', standing('f.after', 'from')),
  ),
};
