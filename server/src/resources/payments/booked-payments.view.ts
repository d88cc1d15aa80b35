/** The payments of periods as the rules of credits look at them. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { type StoredRate, toTaxKey } from '../../domain/billing/line.ts';
import { listCarriedFrom } from '../../domain/billing/pay-back.ts';
import { type BookedPayment, toBookedLine } from '../../domain/billing/period-books.ts';
import { CAPTURED } from '../../domain/states/payment.ts';
import { readLines } from '../../domain/subscriptions/stored-plan.ts';
import {
  listBilledLines,
  listPeriodPayments,
  listRefundsOf,
  type PeriodPaymentRow,
} from './period-payments.queries.ts';

export interface LoadingPayments {
  subscriptionId: string;
  /** Periods by their ends. */
  ends: readonly number[];
  /** Counts as paid although its row is still to say so. */
  paidId?: string | undefined;
}

/** A payment with the charge that took its money; null where none did. */
export interface LoadedPayment extends BookedPayment {
  charge: { id: string; processor: string; connectionId: string | null; settledAt: number | null } | null;
}

/** The payments of these periods, and of those that credits carried into them came from; oldest first. */
export async function loadBookedPayments(
  db: Db,
  scope: Scope,
  loading: LoadingPayments,
): Promise<LoadedPayment[]> {
  let ends: readonly number[] = loading.ends;
  for (;;) {
    const payments = ends.length === 0 ? [] : await load(db, scope, { ...loading, ends });
    const known = new Set(ends);
    const more = payments
      .filter(({ periodEnd }) => periodEnd !== null && known.has(periodEnd))
      .flatMap(listCarriedFrom)
      .filter((end) => !known.has(end));
    if (more.length === 0) return payments;
    ends = [...known, ...new Set(more)];
  }
}

async function load(db: Db, scope: Scope, loading: LoadingPayments): Promise<LoadedPayment[]> {
  const rows = await listPeriodPayments(db, scope, loading);
  if (rows.length === 0) return [];
  const lines = await listBilledLines(db, scope, rows);
  const refunds = await listRefundsOf(
    db,
    scope,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const isPaid = row.id === loading.paidId || CAPTURED.has(row.status);
    const own = refunds.filter(({ paymentId }) => paymentId === row.id);
    return {
      ...toMoney(row),
      // What its processor has refused to pay back once is left to a person.
      canPayBack:
        row.chargeId !== null &&
        !row.isDisputed &&
        !own.some(({ status, paysBack }) => paysBack && status === 'failed'),
      lines: lines
        .filter(({ paymentId, carried }) => paymentId === row.id && (isPaid || carried))
        .map(toLine),
      refunds: own.filter(({ status }) => status !== 'failed').map(toRefund),
    };
  });
}

function toMoney({
  id,
  periodEnd,
  value,
  tax,
  chargeId,
  processor,
  connectionId,
  settledAt,
}: PeriodPaymentRow) {
  const charge =
    chargeId === null || processor === null ? null : { id: chargeId, processor, connectionId, settledAt };
  return { id, periodEnd, valueMinor: value, taxMinor: tax, charge };
}

function toLine(row: Awaited<ReturnType<typeof listBilledLines>>[number]) {
  // The column holds what `toStoredRates` made.
  const taxKey = toTaxKey({ taxReason: row.taxReason, taxRates: row.taxRates as StoredRate[] });
  return { periodEnd: row.periodEnd, taxKey, totalMinor: row.total };
}

function toRefund({ amount, tax, paysBack, creditLines }: Awaited<ReturnType<typeof listRefundsOf>>[number]) {
  const paidBack = paysBack ? readLines(creditLines).map(toBookedLine) : null;
  return { amountMinor: amount, taxMinor: tax, paidBack };
}
