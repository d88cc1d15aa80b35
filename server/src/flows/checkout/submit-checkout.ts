/**
 * The buyer pays. Safe to press twice, to reload, to lose the network on and to open in two tabs: the
 * session's row is the lock, and one session makes at most one paid order.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { type BuyerForm, checkBuyer } from '../../domain/checkout/buyer.ts';
import { checkCustomFields } from '../../domain/custom-fields.ts';
import { type InputIssue, Refusal } from '../../domain/errors.ts';
import type { ChargeMethod, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { insertSession, lockSession, updateSession } from '../../resources/checkouts/checkouts.queries.ts';
import { findDiscountByCode } from '../../resources/discounts/discounts.queries.ts';
import { findOrder, lockOrder } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { cancelPendingCharge } from '../payments/cancel-charge.ts';
import { chargePayment } from '../payments/charge-payment.ts';
import { settleWithoutCharge } from '../payments/settle-payment.ts';
import { type Cart, type CartQuote, needsProcessor, quoteCart } from '../pricing/quote-cart.ts';
import { type PlacedOrder, type Placing, placeOrder } from './place-order.ts';
import { repeatClaim } from './repeat-claim.ts';
import { noteSpentTrial, refuseSpentTrial } from './spent-trial.ts';
import { validateCustomFields } from './validate-custom-fields.ts';

export interface Submit {
  session: Row<'checkoutSessions'>;
  /** Whether the session's row is yet to be written (purchases through the API). */
  isNewSession: boolean;
  /** By whoever has the link, not by the merchant: a claim that is repeated makes no order. */
  byStranger?: boolean;
  cart: Cart;
  form: BuyerForm;
  /** Null when the buyer gave none. */
  method: ChargeMethod | null;
  /** The price that the buyer was shown; null = whatever it is (the merchant's own API). */
  shownFingerprint: string | null;
  ipAddress: string | null;
  /** Runs in the first transaction, with the id of the order that was made. */
  begin?: (tx: Tx, orderId: string) => Promise<void>;
  /** Runs in the last transaction. */
  finish?: (tx: Tx, sale: Sale) => Promise<void>;
}

/** Answers the sale as it stands: PAID, FAILED after a decline, or PENDING. */
export async function submitCheckout(ctx: Context, scope: Scope, submit: Submit): Promise<Sale> {
  const { cart, session } = submit;
  const quote = await quoteCart(ctx, scope, {
    db: ctx.db,
    cart,
    form: submit.form,
    exceptOrderId: session.orderId,
  });
  const isCodeGone = quote.codeRefusal !== null && (await hasGrantedCode(ctx, scope, submit));
  checkSubmit(submit, quote, isCodeGone);
  await validateCustomFields(ctx, cart.customFields, submit.form.customFields);
  const provider = needsProcessor(cart, quote) ? findProvider(ctx, scope) : null;
  if (session.orderId) await cancelPendingCharge(ctx, scope, session.orderId);
  const step = await inTransaction(ctx.db, (tx) => place(ctx, scope, { tx, submit, quote, provider })).catch(
    async (error: unknown) => {
      await noteSpentTrial(ctx, scope, { error, sessionId: session.id, email: submit.form.email });
      if (!isDiscountSpent(error)) throw error;
      const isSale = quote.discount?.type === 'sale';
      if (!isSale && session.orderId === null) throw error;
      // Nobody asked for a sale: who was shown its price is asked again, others pay the price without it. A code that
      // a declined try gave back is asked for once more, and found gone.
      if (isSale && submit.shownFingerprint !== null) throw new Refusal('price_changed', { cause: error });
      return null;
    },
  );
  if (step === null) return submitCheckout(ctx, scope, submit);
  if (step.kind === 'done') return step.sale;
  assert(provider && submit.method, 'a charge is opened only where there is something to charge');
  return chargePayment(ctx, scope, {
    provider,
    charge: { ...step.placed, currency: cart.currency },
    look: { kind: 'watch_order', refId: step.placed.orderId },
    method: submit.method,
    offSession: false,
    ...(submit.finish ? { finish: submit.finish } : {}),
  });
}

/** Whether another buyer took the last use of the discount since the quote was made. */
function isDiscountSpent(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false;
  return error.code === 'discount_exhausted' || error.code === 'discount_user_limit';
}

/** Whether the code lowered the price of this very order at an earlier try, which was declined. */
async function hasGrantedCode(ctx: Context, scope: Scope, { session, form }: Submit): Promise<boolean> {
  if (session.orderId === null || form.discountCode === null) return false;
  const order = await findOrder(ctx.db, scope, session.orderId);
  const discount = await findDiscountByCode(ctx.db, scope, form.discountCode);
  // Written by an earlier submit, in the API's form.
  const granted = order?.discount as { id?: string } | null | undefined;
  return discount !== undefined && granted?.id === discount.id;
}

function findProvider(ctx: Context, scope: Scope): PaymentProvider {
  const provider = ctx.payments.providerFor(scope);
  if (!provider) throw new Refusal('processor_not_configured');
  return provider;
}

function checkSubmit(
  { cart, form, method, shownFingerprint }: Submit,
  quote: CartQuote,
  isCodeGone: boolean,
): void {
  const issues: InputIssue[] = [
    ...checkBuyer(form, { address: cart.type !== 'claim_free' }),
    ...checkCustomFields(cart.customFields, form.customFields),
  ];
  if (needsProcessor(cart, quote) && method === null)
    issues.push({ path: 'card.number', message: 'is required' });
  const [first] = issues;
  if (first) {
    const code = first.path.startsWith('customFields') ? 'custom_field_invalid' : 'invalid_input';
    throw new Refusal(code, { message: `${first.path} ${first.message}`, details: issues });
  }
  if (quote.codeRefusal && !isCodeGone) throw new Refusal(quote.codeRefusal);
  // The buyer pays the amount last shown to them or is asked again.
  const isAsked = shownFingerprint !== null || isCodeGone;
  if (isAsked && shownFingerprint !== quote.fingerprint) {
    const details = [{ path: 'total', message: `is ${quote.totalMinor} now` }];
    throw new Refusal('price_changed', { details });
  }
}

type Step = { kind: 'done'; sale: Sale } | { kind: 'charge'; placed: PlacedOrder & { chargeId: string } };

async function place(
  ctx: Context,
  scope: Scope,
  {
    tx,
    submit,
    quote,
    provider,
  }: { tx: Tx; submit: Submit; quote: CartQuote; provider: PaymentProvider | null },
): Promise<Step> {
  const session = submit.isNewSession ? submit.session : await reopen(ctx, scope, { tx, submit });
  const order = session.orderId ? await lockOrder(tx, scope, session.orderId) : undefined;
  if (order) {
    const standing = await findStandingSale(ctx, scope, { tx, order });
    if (standing) return { kind: 'done', sale: standing };
  }
  const claimed = order ? null : await findClaim(ctx, scope, { tx, submit });
  if (claimed) return { kind: 'done', sale: claimed };
  const placing: Placing = {
    tx,
    cart: submit.cart,
    quote,
    form: submit.form,
    session,
    order: order ?? null,
    ipAddress: submit.ipAddress,
    processor: provider?.name ?? null,
  };
  const placed = await placeOrder(ctx, scope, placing);
  if (!submit.isNewSession) await refuseSpentTrial(scope, { tx, cart: submit.cart, ...placed });
  if (!order) await submit.begin?.(tx, placed.orderId);
  await keepSession(tx, scope, { submit, orderId: placed.orderId });
  if (placed.chargeId !== null) return { kind: 'charge', placed: { ...placed, chargeId: placed.chargeId } };
  const sale = await settleWithoutCharge(ctx, scope, { tx, paymentId: placed.paymentId });
  await submit.finish?.(tx, sale);
  return { kind: 'done', sale };
}

/** The sale of an earlier claim of the same, whose mail goes out again. */
async function findClaim(
  ctx: Context,
  scope: Scope,
  { tx, submit }: { tx: Tx; submit: Submit },
): Promise<Sale | null> {
  const { cart, form, byStranger = false } = submit;
  if (!byStranger || cart.type !== 'claim_free') return null;
  const offerIds = cart.lines.map(({ offer }) => offer.id);
  const orderId = await repeatClaim(ctx, scope, { tx, email: form.email ?? '', offerIds });
  if (orderId === null) return null;
  const { id: paymentId } = await findInitialPayment(tx, scope, orderId);
  return loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
}

/** A session of the API's is first written with its order. */
async function keepSession(
  tx: Tx,
  scope: Scope,
  { submit, orderId }: { submit: Submit; orderId: string },
): Promise<void> {
  const { id, token, elementId, offerIds, ipAddress, createdAt, expiresAt } = submit.session;
  const form = toJson(submit.form);
  if (submit.isNewSession) {
    const opened = { id, token, elementId, offerIds, ipAddress, createdAt, expiresAt };
    await insertSession(tx, scope, { ...opened, orderId, form });
  } else await updateSession(tx, scope, { id, orderId, form, lastError: null });
}

async function reopen(
  ctx: Context,
  scope: Scope,
  { tx, submit }: { tx: Tx; submit: Submit },
): Promise<Row<'checkoutSessions'>> {
  const session = await lockSession(tx, scope, submit.session.id);
  assert(session, 'a session is never deleted while its page is open');
  if (session.orderId === null && session.expiresAt <= ctx.nowMs) throw new Refusal('checkout_expired');
  return session;
}

/** The sale of an order that can not be tried again: paid already, or being paid in the other tab. */
async function findStandingSale(
  ctx: Context,
  scope: Scope,
  { tx, order }: { tx: Tx; order: Row<'orders'> },
): Promise<Sale | null> {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED') throw new Refusal('checkout_expired');
  const paymentId = order.lastPaymentId;
  assert(paymentId, 'an order of a checkout has its payment');
  // What was paid stays paid, whatever a merchant's correction calls the order.
  if (order.status === 'FAILED' && order.paidAt === null) return null;
  const isOpen = order.status === 'PENDING' && order.paidAt === null;
  if (isOpen && !(await findPendingCharge(tx, scope, paymentId))) return null;
  return loadSale(tx, scope, { orderId: order.id, paymentId, publicUrl: ctx.config.publicUrl });
}
