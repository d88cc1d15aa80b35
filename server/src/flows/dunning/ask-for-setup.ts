/** Takes a method for 0: the row first, then its object at the processor, then the method. What pays nothing is no charge. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toMethodsPath } from '../../domain/portal/portal-path.ts';
import { isUnprepared } from '../../providers/payment/careful-provider.ts';
import type {
  CancelOutcome,
  ChargeMethod,
  ChargeReference,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import { callOffSetup, nameSetupObject } from '../../resources/method-setups/method-setups.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { askForObject } from '../payments/charge-payment.ts';
import { FACT, toStoreName } from '../payments/find-charge-facts.ts';
import { toCardPath } from './card-link.ts';

export interface AskedSetup {
  provider: PaymentProvider;
  setup: Row<'methodSetups'>;
}

/** Outside any transaction; the setup's id is the processor's idempotency key. */
export async function askForSetup(
  ctx: Context,
  scope: Scope,
  { provider, setup, method }: AskedSetup & { method: ChargeMethod },
): Promise<StandingOutcome> {
  const { id, userId: customerReference, currency, subscriptionId } = setup;
  const { installId, portalSlug: slug } = await getStore(ctx.db, scope);
  const path =
    subscriptionId === null
      ? toMethodsPath({ slug, testMode: scope.testMode })
      : await toCardPath(ctx, scope, subscriptionId);
  return askForObject({
    provider,
    request: {
      ...{ scope, chargeId: id, amountMinor: 0n, currency, customerReference, method },
      offSession: false,
      purpose: 'setup',
      facts: {
        keepsMethod: true,
        returnUrl: `${ctx.config.publicUrl}${path}/return`,
        orderNumber: '',
        metadata: {
          [FACT.install]: installId,
          [FACT.store]: toStoreName(scope),
          [FACT.setup]: id,
          [FACT.purpose]: 'setup',
          ...(subscriptionId === null ? {} : { [FACT.subscription]: subscriptionId }),
        },
      },
      nowMs: ctx.nowMs,
      sendByRealMs: ctx.realNowMs() + ctx.config.processorSendWithinMs,
    },
    known: setup.processorId,
    name: (processorId) => nameSetupObject(ctx.db, scope, { id, processorId }),
  });
}

/** From here on nothing is taken by it, or it is told that it was. As with a charge (`cancel-at-processor.ts`). */
export async function cancelSetup(
  ctx: Context,
  scope: Scope,
  { provider, setup }: AskedSetup,
): Promise<CancelOutcome> {
  if (!isUnprepared(provider, setup)) return provider.cancel(toSetupReference(ctx, scope, setup));
  const isCalledOff = await callOffSetup(ctx.db, scope, { id: setup.id, nowMs: ctx.nowMs });
  return isCalledOff ? { kind: 'cancelled' } : { kind: 'unknown' };
}

export function toSetupReference(
  { nowMs }: Pick<Context, 'nowMs'>,
  scope: Scope,
  { id: chargeId, processorId }: Row<'methodSetups'>,
): ChargeReference {
  return { scope, chargeId, processorId, nowMs };
}
