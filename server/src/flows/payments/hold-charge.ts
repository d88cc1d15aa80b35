/**
 * Other money than was asked for: neither paid nor turned away. The charge stays pending until a person decides, and the
 * owners are told; nothing is fulfilled, and the buyer and the webhooks hear nothing.
 */
import type { Step } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { deleteDueWork } from '../../resources/due-work/due-work.queries.ts';
import { updateCharge } from '../../resources/payments/payments.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { toWatch } from './open-charge.ts';
import type { Settling } from './record-paid.ts';

export async function holdCharge(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<void> {
  const { chargeId, chargeAmount, chargeCurrency } = sale;
  assert(chargeId && chargeAmount !== null && chargeCurrency, 'money comes by a charge');
  await updateCharge(tx, scope, {
    id: chargeId,
    hold: 'discrepancy',
    takenAmount: outcome.amountMinor,
    takenCurrency: outcome.currency,
    processorId: outcome.processorId,
    paymentMethod: toJson(outcome.method),
    actionPath: null,
    silentLooks: 0,
  });
  // Nobody asks any more: the processor has said what it has to say.
  const watch = toWatch(sale);
  await deleteDueWork(tx, scope, watch.kind, watch.refId);
  const params = {
    orderNumber: sale.orderNumber,
    paymentNumber: sale.paymentNumber,
    chargeId,
    expected: { amountMinor: Number(chargeAmount), currency: chargeCurrency },
    taken: { amountMinor: Number(outcome.amountMinor), currency: outcome.currency },
  };
  const mail = { kind: 'charge_held' as const, params, key: `charge_held:${chargeId}`, at: ctx.nowMs };
  await queueOwnerMails(tx, scope, [mail]);
}
