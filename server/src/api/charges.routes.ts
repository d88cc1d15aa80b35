/** Charges that wait for a person's decision. */
import { Type } from 'typebox';
import { decideHeldCharge } from '../flows/payments/decide-held-charge.ts';
import { flow, isLive, type Route } from '../http/route.ts';
import { findPaymentOfCharge, type PaymentRow } from '../resources/payments/payments.queries.ts';
import { PaymentData, toPayment } from '../resources/payments/payments.schema.ts';
import { Body, Lines, Uuid } from '../resources/shapes.ts';

const NOTE_LENGTH_MAX = 1000;

const ChargeParams = Type.Object({ chargeId: Uuid() });
const DecisionBody = Body({
  note: Lines(NOTE_LENGTH_MAX, {
    minLength: 1,
    description: 'Why it is decided so: kept with the charge and in the audit log.',
  }),
});

function decision(
  declared: Pick<Route, 'operationId' | 'summary' | 'description'>,
  verb: 'accept' | 'return',
): Route {
  return flow({
    ...declared,
    method: 'POST',
    path: `/v0/charges/:chargeId/${verb}`,
    tag: 'payments',
    needsFreshProof: isLive,
    params: ChargeParams,
    body: DecisionBody,
    data: PaymentData,
    errors: ['not_found', 'charge_not_held', 'payment_in_progress'],
    example: { note: 'Agreed with the buyer by phone.' },
    handler: async ({ ctx, scope, params: { chargeId }, body: { note }, claim, audit, finish }) => {
      const toData = (row: PaymentRow) => ({ payment: toPayment(row, ctx.config.publicUrl) });
      const before = await findPaymentOfCharge(ctx.db, scope, chargeId);
      if (before) audit(toData(before), chargeId);
      const decided = await decideHeldCharge(ctx, scope, {
        chargeId,
        decision: verb,
        note,
        begin: claim.begin,
        finish: (tx, row) => finish(tx, toData(row)),
      });
      return toData(decided);
    },
  });
}

export const chargeRoutes: Route[] = [
  decision(
    {
      operationId: 'acceptCharge',
      summary: 'Accept other money than was asked for',
      description:
        'Of a charge whose `hold` is `discrepancy`: its payment is PAID at its own value, and the difference is booked ' +
        'apart. What was taken, if it is less, is the most that can be refunded.',
    },
    'accept',
  ),
  decision(
    {
      operationId: 'returnCharge',
      summary: 'Send other money than was asked for back',
      description:
        'Of a charge whose `hold` is `discrepancy`: what was taken goes back, the charge is `failed`, and its payment ' +
        'goes on as after a decline.',
    },
    'return',
  ),
];
