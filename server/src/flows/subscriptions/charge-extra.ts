/** An extra charge beside the schedule: a payment and an invoice of its own, billed once. */

import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { composePayment, toPeriodLines } from '../../domain/billing/compose.ts';
import { invalidField } from '../../domain/errors.ts';
import type { PaymentStatus } from '../../domain/states/payment.ts';
import { checkAction } from '../../domain/states/subscription.ts';
import type { CartOffer } from '../../resources/checkouts/carts.queries.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { finishStoredCharge } from '../payments/charge-stored-method.ts';
import { refuseAmountOf } from '../payments/choose-connection.ts';
import { type OpenedCharge, openStoredCharge } from '../payments/open-charge.ts';
import { getCharging } from '../payments/provider-of.ts';
import { resumeStoredCharge } from '../payments/resume-stored-charge.ts';
import { askForDetails } from '../pricing/check-tax-number.ts';
import { type ComposedPayment, decideTax } from '../pricing/compose-period-payment.ts';
import { type AskedLine, at, resolveItems } from '../pricing/resolve-items.ts';
import { refuseMovedClock } from '../subscription-lifecycle/refuse-moved-clock.ts';
import { writeSubscriptionPayment } from '../subscription-lifecycle/write-subscription-payment.ts';

export interface ExtraCharge {
  id: string;
  lines: readonly AskedLine[];
  description: string | null;
  /** The idempotency key of the request: the payment it stands for, if an earlier request with it died. */
  claim: { resumeId: string | null; begin: (tx: Tx, paymentId: string) => Promise<void> };
}

/** Answers the payment, whatever came of its charge. Throws what a line cannot be, and invalid_input for a sum of 0. */
export async function chargeExtra(
  ctx: Context,
  scope: Scope,
  extra: ExtraCharge,
): Promise<{ paymentId: string }> {
  const { claim, id } = extra;
  if (claim.resumeId !== null) {
    await resumeStoredCharge(ctx, scope, claim.resumeId);
    return { paymentId: claim.resumeId };
  }
  const subscription = await getSubscription(ctx.db, scope, id);
  const composed = await composeExtra(ctx, scope, { subscription, extra });
  const method = await findPaymentMethod(ctx.db, scope, subscription.paymentMethodId);
  const { currency } = subscription;
  if (method) {
    const { processor } = method;
    refuseAmountOf(ctx, { processor, currency, amountMinor: composed.valueMinor });
    await getCharging(ctx, scope, method);
  }
  const opened = await inTransaction(ctx.db, (tx) => write(ctx, scope, { tx, extra, composed }));
  await finishStoredCharge(ctx, scope, opened);
  return { paymentId: opened.paymentId };
}

/** The discount of the purchase does not touch it, and nothing that waits goes on it. */
async function composeExtra(
  ctx: Context,
  scope: Scope,
  { subscription, extra }: { subscription: Row<'subscriptions'>; extra: ExtraCharge },
): Promise<ComposedPayment> {
  const { db } = ctx;
  const { currency } = subscription;
  const { lines, description } = extra;
  const { items, offers } = await resolveItems(ctx, scope, { db, lines, currency, kept: [] });
  refuseGoods(lines, offers);
  await askForDetails(ctx, scope, subscription.billingDetails);
  const taxing = await decideTax(ctx, scope, { db, subscription, items, atMs: ctx.nowMs });
  const own = toPeriodLines(
    { items, discount: null, tax: taxing.tax, fraction: null },
    { kind: 'extra', currency, description, startMs: null, endMs: null },
  );
  const { country, decision: taxDecision } = taxing;
  const payment = composePayment(own, []);
  // Of an offer that is given away alone.
  if (payment.valueMinor === 0n) throw invalidField('items', 'must come to more than 0');
  return {
    ...payment,
    currency,
    discount: null,
    country,
    taxDecision,
    retaxed: [],
    unborne: new Set(),
  };
}

/** Paid means fulfilled: keys, files and limits stand with the items of an order, of which an extra charge has none. */
function refuseGoods(lines: readonly AskedLine[], offers: readonly CartOffer[]): void {
  for (const { path, offerId } of lines) {
    const offer = offers.find(({ id }) => id === offerId);
    if (offer && (offer.hasKeys || offer.downloadFileId !== null || offer.salesLimit !== null)) {
      throw invalidField(at(path, 'offerId'), 'has keys, a file or a limit, and is sold by a checkout alone');
    }
  }
}

async function write(
  ctx: Step,
  scope: Scope,
  { tx, extra, composed }: { tx: Tx; extra: ExtraCharge; composed: ComposedPayment },
): Promise<OpenedCharge> {
  const subscription = await lockBilling(tx, scope, extra.id);
  assert(subscription, 'a subscription is never deleted');
  await refuseMovedClock(ctx, scope, tx);
  checkAction('charge', subscription);
  const type = 'subscription_extra';
  const status: PaymentStatus = 'PENDING';
  const payment = await writeSubscriptionPayment(ctx, scope, {
    tx,
    subscription,
    type,
    status,
    composed,
    periodStart: null,
    periodEnd: null,
  });
  const { paymentId: id, valueMinor: value } = payment;
  await extra.claim.begin(tx, id);
  const { userId, currency, paymentMethodId: methodId } = subscription;
  const charged = { id, type, status, value, currency, userId, subscriptionId: extra.id, periodStart: null };
  return openStoredCharge(ctx, scope, { tx, payment: charged, methodId });
}
