/** SQL of the payments that bill periods of a subscription, with what went back of them. */

import { type ExpressionBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Tables } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { PaymentStatus } from '../../domain/states/payment.ts';

/** Payments whose money was taken, and those whose may be yet. */
const STANDING: PaymentStatus[] = ['UNPAID', 'PENDING', 'FAILED', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

/**
 * Payments that are of these periods or have lines of them, oldest first; a period is named by its end. Of one that is
 * still open only lines that had waited count, and no payment of an extra charge does.
 */
export async function listPeriodPayments(
  db: Db,
  scope: Scope,
  { subscriptionId, ends }: { subscriptionId: string; ends: readonly number[] },
) {
  return (
    db
      .selectFrom('payments as p')
      .leftJoin('charges as c', (join) =>
        join
          .onRef('c.workspaceId', '=', 'p.workspaceId')
          .on('c.workspaceId', '=', scope.workspaceId)
          .onRef('c.testMode', '=', 'p.testMode')
          .onRef('c.paymentId', '=', 'p.id')
          .on('c.status', '=', 'succeeded')
          .on('c.reversedAt', 'is', null),
      )
      .select(['p.id', 'p.orderId', 'p.type', 'p.status', 'p.value', 'p.tax', 'p.periodEnd'])
      .select('p.paidElsewhere')
      .select(['c.id as chargeId', 'c.processor', 'c.connectionId', 'c.settledAt'])
      .select(toDisputed(scope).as('isDisputed'))
      .where(inScope(scope, 'p'))
      .where('p.subscriptionId', '=', subscriptionId)
      .where('p.type', '<>', 'subscription_extra')
      .where('p.status', 'in', STANDING)
      // A change of plan that failed is over: what it had taken waits again.
      .where((eb) => eb.or([eb('p.type', '<>', 'subscription_update'), eb('p.status', '<>', 'FAILED')]))
      .where((eb) => eb.or([eb('p.periodEnd', 'in', [...ends]), eb.exists(lineOfPeriods(eb, scope, ends))]))
      .orderBy('p.createdAt')
      .orderBy('p.id')
      .execute()
  );
}

export type PeriodPaymentRow = Awaited<ReturnType<typeof listPeriodPayments>>[number];

const toDisputed = (scope: Scope) => sql<boolean>`exists (select from disputes d where ${inScope(scope, 'd')}
  and d.payment_id = p.id and d.status = 'open')`;

function lineOfPeriods(
  eb: ExpressionBuilder<Tables & { p: Tables['payments'] }, 'p'>,
  scope: Scope,
  ends: readonly number[],
) {
  return eb
    .selectFrom('paymentLines as l')
    .select('l.id')
    .where(inScope(scope, 'l'))
    .whereRef('l.paymentId', '=', 'p.id')
    .where('l.periodEnd', 'in', [...ends]);
}

/** Lines of these payments as far as bounds of credits look at them, and the items that an initial payment is of. */
export async function listBilledLines(db: Db, scope: Scope, payments: readonly PeriodPaymentRow[]) {
  const ids = payments.map(({ id }) => id);
  const lines = await db
    .selectFrom('paymentLines')
    .select(['paymentId', 'periodEnd', 'total', 'taxReason', 'taxRates', 'carried'])
    .where(inScope(scope))
    .where('paymentId', 'in', ids)
    .orderBy('position')
    .orderBy('id')
    .execute();
  const initial = payments.find(({ type }) => type === 'subscription_initial');
  if (!initial) return lines;
  const items = await db
    .selectFrom('orderItems')
    .select(['total', 'taxReason', 'taxRates'])
    .where(inScope(scope))
    .where('orderId', '=', initial.orderId)
    .orderBy('position')
    .execute();
  const { id: paymentId, periodEnd, paidElsewhere } = initial;
  // Its items are of 0 here: what was paid for them where they were bought is bound by the period alone, and of no tax.
  if (paidElsewhere !== null) {
    const paid = { total: paidElsewhere, taxReason: '', taxRates: [] };
    return [...lines, { ...paid, paymentId, periodEnd, carried: false }];
  }
  return [...lines, ...items.map((item) => ({ ...item, paymentId, periodEnd, carried: false }))];
}

/** Refunds of these payments, the failed ones too, oldest first. */
export async function listRefundsOf(db: Db, scope: Scope, paymentIds: readonly string[]) {
  return db
    .selectFrom('refunds')
    .select(['paymentId', 'amount', 'tax', 'status', 'paysBack', 'creditLines'])
    .where(inScope(scope))
    .where('paymentId', 'in', [...paymentIds])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}
