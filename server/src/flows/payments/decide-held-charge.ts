/**
 * A person decides on a charge that took other money than was asked for: it is accepted, and pays its payment at the
 * payment's own value, or sent back, and the payment goes on as after a decline.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { SucceededCharge } from '../../providers/payment/payment-provider.ts';
import {
  findCharge,
  findPayment,
  type PaymentRow,
  updateCharge,
} from '../../resources/payments/payments.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { toDecline } from './charge-payment.ts';
import { toLookUpReference } from './look-up-charge.ts';
import { providerOf } from './provider-of.ts';
import { giveBack } from './reverse-charge.ts';
import { settle } from './settle-payment.ts';

export interface Deciding {
  chargeId: string;
  decision: 'accept' | 'return';
  /** Why, for whoever reads the books later. */
  note: string;
  /** Holds the request's idempotency key. */
  begin: (tx: Tx, chargeId: string) => Promise<void>;
  finish: (tx: Tx, payment: PaymentRow) => Promise<void>;
}

/** Throws not_found, charge_not_held, and payment_in_progress where the processor does not say what it has taken. */
export async function decideHeldCharge(ctx: Context, scope: Scope, deciding: Deciding): Promise<PaymentRow> {
  const { chargeId, decision, note, begin, finish } = deciding;
  const charge = await findCharge(ctx.db, scope, chargeId);
  if (!charge) throw new Refusal('not_found');
  const outcome = await askWhatWasTaken(ctx, scope, charge);
  return inTransaction(ctx.db, async (tx) => {
    await begin(tx, chargeId);
    const sale = await lockHeld(tx, scope, charge);
    await updateCharge(tx, scope, { id: chargeId, holdNote: note });
    if (decision === 'accept') await settle(ctx, scope, { tx, sale, outcome });
    else await sendBack(ctx, scope, { tx, sale, outcome });
    const payment = await findPayment(tx, scope, charge.paymentId);
    assert(payment, 'a charge has its payment');
    await finish(tx, payment);
    return payment;
  });
}

/** The processor's own word, as it is now: what is booked is what it has. */
async function askWhatWasTaken(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<SucceededCharge> {
  if (charge.hold === null) throw new Refusal('charge_not_held');
  const { takenAmount, takenCurrency } = charge;
  const provider = await providerOf(ctx, scope, charge);
  const found = await provider?.lookUp(toLookUpReference(ctx, scope, charge));
  const isAsHeld =
    found?.kind === 'succeeded' && found.amountMinor === takenAmount && found.currency === takenCurrency;
  if (!isAsHeld) throw new Refusal('payment_in_progress');
  return found;
}

/** Of two who decide at once the second finds it decided. */
async function lockHeld(
  tx: Tx,
  scope: Scope,
  { id: chargeId, paymentId }: Row<'charges'>,
): Promise<LockedSale> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale, 'a charge has its payment');
  const charge = await findCharge(tx, scope, chargeId);
  if (!charge?.hold) throw new Refusal('charge_not_held');
  return sale;
}

async function sendBack(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: { tx: Tx; sale: LockedSale; outcome: SucceededCharge },
): Promise<void> {
  const { processorId, method } = outcome;
  const message = 'Another amount was taken than was asked for. It was sent back.';
  const declined = { ...toDecline('returned', message), processorId, method, decline: 'soft' as const };
  await settle(ctx, scope, { tx, sale, outcome: declined });
  await giveBack(ctx, scope, { tx, sale, outcome });
}
