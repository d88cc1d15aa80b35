/** What a processor is told of a charge beside its money. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

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

function selectFacts(db: Db, scope: Scope) {
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
    .where(inScope(scope, 'charges'));
}

const byCharge = keepQuery((db, { chargeId, ...scope }: Scope & { chargeId: string }) =>
  selectFacts(db, scope).where('charges.id', '=', chargeId),
);

export async function findChargeFacts(
  db: Db,
  scope: Scope,
  chargeId: string,
): Promise<ChargeFactsRow | undefined> {
  const [row] = await byCharge(db, { ...scopeColumns(scope), chargeId });
  return row;
}

const byCharges = keepQuery((db, { ids, ...scope }: Scope & { ids: readonly string[] }) =>
  selectFacts(db, scope)
    .select('charges.id as chargeId')
    .where('charges.id', '=', sql<string>`any(${ids}::uuid[])`),
);

/** By the charges' ids. */
export async function listChargeFacts(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, ChargeFactsRow>> {
  const rows = ids.length === 0 ? [] : await byCharges(db, { ...scopeColumns(scope), ids });
  return new Map(rows.map(({ chargeId, ...facts }) => [chargeId, facts]));
}
