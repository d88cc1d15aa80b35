/** What a processor is told of a charge beside its money. */
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface ChargeFactsRow {
  installId: string;
  paymentId: string;
  orderId: string;
  orderNumber: string;
  subscriptionId: string | null;
  periodStart: number | null;
  keepsMethod: boolean;
  /** A stored method: it is kept already. */
  paymentMethodId: string | null;
  payToken: string;
  /** Of the order's checkout; null = it has none. */
  sessionToken: string | null;
  elementId: string | null;
  offerIds: string[] | null;
}

export async function findChargeFacts(
  db: Db,
  scope: Scope,
  chargeId: string,
): Promise<ChargeFactsRow | undefined> {
  return db
    .selectFrom('charges')
    .innerJoin('payments', (join) =>
      join
        .onRef('payments.workspaceId', '=', 'charges.workspaceId')
        .on('payments.workspaceId', '=', scope.workspaceId)
        .onRef('payments.testMode', '=', 'charges.testMode')
        .onRef('payments.id', '=', 'charges.paymentId'),
    )
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'payments.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'payments.testMode')
        .onRef('orders.id', '=', 'payments.orderId'),
    )
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.workspaceId', '=', 'charges.workspaceId')
        .onRef('stores.testMode', '=', 'charges.testMode'),
    )
    .leftJoin('checkoutSessions', (join) =>
      join
        .onRef('checkoutSessions.workspaceId', '=', 'orders.workspaceId')
        .on('checkoutSessions.workspaceId', '=', scope.workspaceId)
        .onRef('checkoutSessions.testMode', '=', 'orders.testMode')
        .onRef('checkoutSessions.id', '=', 'orders.sessionId'),
    )
    .select([
      'stores.installId',
      'payments.id as paymentId',
      'orders.id as orderId',
      'orders.number as orderNumber',
      'payments.subscriptionId',
      'payments.periodStart',
      'charges.keepsMethod',
      'charges.paymentMethodId',
      'payments.payToken',
      'checkoutSessions.token as sessionToken',
      'checkoutSessions.elementId',
      'checkoutSessions.offerIds',
    ])
    .where(inScope(scope, 'charges'))
    .where('charges.id', '=', chargeId)
    .executeTakeFirst();
}
