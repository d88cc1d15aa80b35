/**
 * What a processor is told of a charge: by it what was taken is known as ours, in this store and in no copy of it, even
 * where our rows of the last hour are lost.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toSessionPath } from '../../domain/checkout/session-path.ts';
import type { ChargeFacts, ChargePurpose } from '../../providers/payment/payment-provider.ts';
import { type ChargeFactsRow, findChargeFacts } from '../../resources/payments/charge-facts.queries.ts';

/** Names of what is told; Stripe has room for 40 characters each. */
export const FACT = {
  install: 'cf_install',
  store: 'cf_store',
  charge: 'cf_charge',
  payment: 'cf_payment',
  order: 'cf_order',
  purpose: 'cf_purpose',
  subscription: 'cf_subscription',
  period: 'cf_period',
  setup: 'cf_setup',
} as const;

/** A workspace in one mode, in one word. */
export function toStoreName({ workspaceId, testMode }: Scope): string {
  return `${workspaceId}:${testMode ? 'test' : 'live'}`;
}

export interface AskedFacts {
  chargeId: string;
  purpose: ChargePurpose;
  isOnPayPage: boolean;
  /** Its row, where it was read with others; missing = it is read here. */
  row?: ChargeFactsRow | undefined;
}

export async function getChargeFacts(
  { db, config }: Pick<Context, 'db' | 'config'>,
  scope: Scope,
  { chargeId, purpose, isOnPayPage, ...known }: AskedFacts,
): Promise<ChargeFacts> {
  const row = known.row ?? (await findChargeFacts(db, scope, chargeId));
  assert(row, 'a charge is asked for after its row was written');
  const { subscriptionId, periodStart } = row;
  // Whoever holds the link of a payment is led to no page that shows what was bought.
  const isOfCheckout = purpose === 'purchase' && periodStart === null && !isOnPayPage;
  return {
    keepsMethod: row.keepsMethod || (subscriptionId !== null && row.paymentMethodId === null),
    returnUrl: `${config.publicUrl}${toPagePath(row, isOfCheckout)}/return`,
    orderNumber: row.orderNumber,
    metadata: {
      [FACT.install]: row.installId,
      [FACT.store]: toStoreName(scope),
      [FACT.charge]: chargeId,
      [FACT.payment]: row.paymentId,
      [FACT.order]: row.orderId,
      [FACT.purpose]: purpose,
      ...(subscriptionId === null ? {} : { [FACT.subscription]: subscriptionId }),
      ...(periodStart === null ? {} : { [FACT.period]: String(periodStart) }),
    },
  };
}

/** The page that the buyer comes from. */
function toPagePath(
  { sessionToken: token, elementId, offerIds, payToken }: ChargeFactsRow,
  isOfCheckout: boolean,
): string {
  if (!isOfCheckout || token === null || offerIds === null) return `/pay/${payToken}`;
  return toSessionPath({ elementId, offerIds, token });
}
