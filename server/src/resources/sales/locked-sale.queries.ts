/** What settling a payment decides on, locked and read in one query. */
import type { Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope } from '../../db/scope.ts';

interface SaleIds {
  paymentId: string;
  chargeId: string | null;
}

const lock = keepQuery((db, { paymentId, chargeId, ...scope }: Scope & SaleIds) =>
  db
    .selectFrom('payments')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'payments.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'payments.testMode')
        .onRef('orders.id', '=', 'payments.orderId'),
    )
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'orders.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'orders.testMode')
        .onRef('users.id', '=', 'orders.userId'),
    )
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.workspaceId', '=', 'payments.workspaceId')
        .onRef('stores.testMode', '=', 'payments.testMode'),
    )
    .innerJoin('workspaces', 'workspaces.id', 'payments.workspaceId')
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'orders.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'orders.testMode')
        .onRef('subscriptions.id', '=', 'orders.subscriptionId'),
    )
    .leftJoin('checkoutSessions', (join) =>
      join
        .onRef('checkoutSessions.workspaceId', '=', 'orders.workspaceId')
        .on('checkoutSessions.workspaceId', '=', scope.workspaceId)
        .onRef('checkoutSessions.testMode', '=', 'orders.testMode')
        .onRef('checkoutSessions.id', '=', 'orders.sessionId'),
    )
    .leftJoin('charges', (join) =>
      join
        .onRef('charges.workspaceId', '=', 'payments.workspaceId')
        .on('charges.workspaceId', '=', scope.workspaceId)
        .onRef('charges.testMode', '=', 'payments.testMode')
        .onRef('charges.paymentId', '=', 'payments.id')
        .on('charges.id', '=', chargeId),
    )
    .select([
      'charges.id as chargeId',
      'charges.status as chargeStatus',
      'charges.amount as chargeAmount',
      'charges.currency as chargeCurrency',
      'charges.processor',
      'charges.connectionId',
      'charges.lookCount',
      'charges.actionPath',
      'charges.hold',
      'charges.takenAmount',
      'charges.takenCurrency',
      'charges.createdAt as chargeCreatedAt',
      'charges.expectedBy as chargeExpectedBy',
      'charges.ipAddress',
      'charges.offSession',
      'charges.keepsMethod',
      'charges.paymentMethodId as chargeMethodId',
      'payments.id as paymentId',
      'payments.status as paymentStatus',
      'payments.type as paymentType',
      'payments.value as paymentValue',
      'payments.refundedValue as paymentRefundedValue',
      'payments.tax as paymentTax',
      'payments.currency',
      'payments.version as paymentVersion',
      'payments.payToken',
      'payments.number as paymentNumber',
      'payments.periodStart',
      'payments.discount as paymentDiscount',
      'payments.taxDecision as laterTaxDecision',
      'orders.id as orderId',
      'orders.number as orderNumber',
      'orders.taxDecision',
      'orders.status as orderStatus',
      'orders.version as orderVersion',
      'orders.userId',
      'orders.sessionId',
      'orders.checkoutId',
      'orders.subscriptionId',
      'orders.discountId',
      'orders.holds',
      'orders.holdsUntil',
      'orders.expiresAt',
      'orders.openedBy',
      'orders.withdrawalRight',
      'orders.billingDetails',
      'users.billingDetails as userBillingDetails',
      'subscriptions.billingDetails as subscriptionBillingDetails',
      'users.email as userEmail',
      'users.language as userLanguage',
      'stores.settings',
      'workspaces.name as workspaceName',
      'orders.locationEvidence',
    ])
    .select((eb) => eb.fn.coalesce('checkoutSessions.language', 'orders.language').as('sessionLanguage'))
    .where(inScope(scope, 'payments'))
    .where('payments.id', '=', paymentId)
    // Whoever writes a charge holds its order's lock, so that the charge needs none of its own.
    .forUpdate(['orders', 'payments']),
);

/** What is equal to nothing at all a spread store plans no table for, and then asks all nodes for the rest. */
const NO_CHARGE = '00000000-0000-0000-0000-000000000000';

/** Locks an order with one of its payments, and reads the charge that is being settled, if there is one. */
export async function lockSale(tx: Tx, scope: Scope, ids: SaleIds) {
  const [row] = await lock(tx, { ...scope, ...ids, chargeId: ids.chargeId ?? NO_CHARGE });
  return row;
}

export type LockedSale = NonNullable<Awaited<ReturnType<typeof lockSale>>>;
