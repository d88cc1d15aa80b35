/**
 * What figures are sums of, in one place: reports add it up by buckets, the upkeep by quarter hours, and the lists of
 * rows show it. `f` is the row whose moment counts.
 */
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scope } from '../../db/scope.ts';
import type { Span } from '../../domain/figures/buckets.ts';
import type { Measure } from '../../domain/figures/metrics.ts';

type Sql = RawBuilder<unknown>;

/** The accounts that sales are credited to, tax apart. */
const INCOME = sql.raw(`('sales')`);
/** Payments that carry an order, but for claims of what is free. */
export const INITIAL = sql.raw(`('one_time', 'subscription_initial')`);
const ONE = sql.raw('1');

export interface Source {
  table: string;
  at: Sql;
  /** Which of its rows count at all. */
  where: (scope: Scope) => Sql;
  /** The payment that a row belongs to, by whose type and country it is told apart; null = of none. */
  paymentId: Sql | null;
  measures: Partial<Record<Measure, (scope: Scope) => Sql>>;
}

/**
 * Keeps the planner from joining a whole table to what is a few rows of it: each is looked up along the index of its
 * payment or user.
 */
const ROW_BY_ROW = sql.raw('offset 0');

const when = (condition: Sql, amount: Sql): Sql => sql`case when ${condition} then ${amount} else 0 end`;

const isFirstSettled = (scope: Scope): Sql => sql`f.amount > 0 and f.settled_at is not null and not exists (
  select from charges e where ${inScope(scope, 'e')} and e.payment_id = f.payment_id and e.settled_at is not null
    and (e.settled_at, e.created_at, e.id) < (f.settled_at, f.created_at, f.id) ${ROW_BY_ROW})`;

const isInitial = sql`f.type in ${INITIAL}`;

/** No payment that carried an order was paid by the user before; of two at once both may be marked. */
const isFirstOfUser = (scope: Scope): Sql => sql`not exists (
  select from payments e where ${inScope(scope, 'e')} and e.user_id = f.user_id and e.is_first_of_user
    and (e.paid_at, e.id) < (f.paid_at, f.id) ${ROW_BY_ROW})`;

/** An import has made the user: they were somebody's customer before. */
const isBrought = (scope: Scope): Sql => sql`exists (
  select from users u where ${inScope(scope, 'u')} and u.id = f.user_id and u.brought_by is not null ${ROW_BY_ROW})`;

/** The payment of the first interval after a trial was paid. */
const isTrialPaid = (scope: Scope): Sql => sql`exists (
  select from payments e where ${inScope(scope, 'e')} and e.subscription_id = f.id
    and e.type = 'subscription_interval' and e.paid_at is not null ${ROW_BY_ROW})`;

const kindOf = (kind: string) => (): Sql => when(sql`f.kind = ${sql.lit(kind)}`, sql.raw('f.delta'));

/** A fee of a payment that was taken in another currency is said in the payment's own. */
const convertedFee = (scope: Scope): Sql => sql`(
  select p.fee from payments p where ${inScope(scope, 'p')} and p.id = f.payment_id)`;

export const SOURCES: Readonly<Record<string, Source>> = {
  ledger: {
    table: 'ledger_entries',
    at: sql.raw('f.created_at'),
    where: () => sql`f.kind in ('charge', 'refund', 'dispute_lost', 'reversal_in', 'conversion_out', 'fee')`,
    paymentId: sql.raw('f.payment_id'),
    measures: {
      gross: () =>
        when(sql`f.kind = 'charge' and f.account in (${INCOME}, 'tax_payable')`, sql.raw('-f.amount')),
      refunds: () =>
        when(
          sql`f.kind in ('refund', 'dispute_lost') and f.account in ('refunds', 'tax_payable')`,
          sql.raw('f.amount'),
        ),
      taxes: () =>
        when(
          sql`f.account = 'tax_payable' and f.kind in ('charge', 'refund', 'dispute_lost')`,
          sql.raw('-f.amount'),
        ),
      fees: (
        scope,
      ) => sql`case when f.account = 'fees' and f.kind in ('charge', 'reversal_in', 'fee') then f.amount
        when f.account = 'conversion' and f.kind = 'conversion_out' then ${convertedFee(scope)} else 0 end`,
    },
  },
  payments: {
    table: 'payments',
    at: sql.raw('f.paid_at'),
    where: () => sql`f.paid_at is not null`,
    paymentId: sql.raw('f.id'),
    measures: {
      orders: () => when(sql`${isInitial} and f.paid_elsewhere is null`, ONE),
      initialPayments: () => when(sql`${isInitial} and f.value > 0`, ONE),
      initialValue: () => when(isInitial, sql.raw('f.value')),
      paidPayments: () => when(sql`f.value > 0`, ONE),
    },
  },
  firsts: {
    table: 'payments',
    at: sql.raw('f.paid_at'),
    where: () => sql`f.paid_at is not null and f.is_first_of_user`,
    paymentId: sql.raw('f.id'),
    measures: {
      newCustomers: (scope) => when(sql`${isFirstOfUser(scope)} and not ${isBrought(scope)}`, ONE),
    },
  },
  charges: {
    table: 'charges',
    at: sql.raw('f.settled_at'),
    where: isFirstSettled,
    paymentId: sql.raw('f.payment_id'),
    measures: {
      firstCharges: () => ONE,
      firstFailures: () => when(sql`f.status = 'failed'`, ONE),
    },
  },
  recoveries: {
    table: 'payments',
    at: sql.raw('f.first_failed_at'),
    where: () => sql`f.first_failed_at is not null and f.paid_at is not null`,
    paymentId: sql.raw('f.id'),
    measures: { recovered: () => ONE },
  },
  disputes: {
    table: 'disputes',
    at: sql.raw('f.opened_at'),
    // A bank that only asked has taken nothing.
    where: () => sql`f.status in ('open', 'won', 'lost')`,
    paymentId: sql.raw('f.payment_id'),
    measures: { disputes: () => ONE },
  },
  movements: {
    table: 'mrr_movements',
    at: sql.raw('f.at'),
    where: () => sql`true`,
    paymentId: null,
    measures: {
      mrr: () => sql.raw('f.delta'),
      activeSubscriptions: () => sql.raw('(f.after > 0)::int - (f.after > f.delta)::int'),
      churnedSubscriptions: () => when(sql`f.kind = 'churn'`, ONE),
      mrrNew: kindOf('new'),
      mrrImported: kindOf('imported'),
      mrrExpansion: kindOf('expansion'),
      mrrContraction: kindOf('contraction'),
      mrrChurn: kindOf('churn'),
      mrrReactivation: kindOf('reactivation'),
      mrrPaused: kindOf('paused'),
      mrrResumed: kindOf('resumed'),
    },
  },
  trials: {
    table: 'subscriptions',
    at: sql.raw('least(f.trial_end, f.ended_at)'),
    where: () => sql`f.trial_start is not null`,
    paymentId: null,
    measures: {
      trialsPaid: (scope) => when(isTrialPaid(scope), ONE),
      trialsDecided: (scope) => when(sql`${isTrialPaid(scope)} or f.status in ('canceled', 'unpaid')`, ONE),
    },
  },
};

export type Group = 'type' | 'country';

export interface Reading {
  scope: Scope;
  measures: readonly Measure[];
  span: Span;
  /** Null = every one. */
  currency: string | null;
  /** What of the payment the rows are told apart by beside bucket and currency. */
  groups: readonly Group[];
  /** What rows of one moment are put together under. */
  bucketOf: (at: Sql) => Sql;
}

/** `initialValue` as `initial_value`. */
export function toColumn(measure: Measure): string {
  return measure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * One row for each row of the source: bucket, currency, a column for each group by its name, and one for each measure
 * that is read. Groups of what belongs to no payment are null.
 */
export function selectFacts(source: Source, reading: Reading): Sql {
  const { scope, measures, span, currency, groups, bucketOf } = reading;
  const isJoined = groups.length > 0 && source.paymentId !== null;
  const columns = [
    ...groups.map((group) =>
      isJoined ? sql`g.${sql.raw(group)} as ${sql.raw(group)}` : sql`null::text as ${sql.raw(group)}`,
    ),
    ...measures.map((measure) => {
      const expression = source.measures[measure]?.(scope) ?? sql.raw('0');
      return sql`${expression} as ${sql.raw(toColumn(measure))}`;
    }),
  ];
  const join = isJoined
    ? sql`join payments g on ${inScope(scope, 'g')} and g.id = ${source.paymentId}`
    : sql.raw('');
  return sql`select ${bucketOf(source.at)} as bucket, f.currency, ${sql.join(columns)}
    from ${sql.raw(source.table)} f ${join}
    where ${inScope(scope, 'f')} and ${source.where(scope)}
      and ${source.at} >= ${span.fromMs}::bigint and ${source.at} < ${span.toMs}::bigint
      ${currency === null ? sql.raw('') : sql`and f.currency = ${currency}`}`;
}

/** The sources that any of the measures needs. */
export function sourcesOf(measures: readonly Measure[]): Source[] {
  return Object.values(SOURCES).filter((source) => measures.some((measure) => measure in source.measures));
}
