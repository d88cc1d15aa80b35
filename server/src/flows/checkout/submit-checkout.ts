/**
 * The buyer pays. Safe to press twice, to reload, to lose the network on and to open in two tabs: the
 * session's row is the lock, and one session makes at most one paid order.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { askLast } from '../../db/sent-together.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { type BuyerForm, checkBuyer, listSaid, toBuyerNeeds } from '../../domain/checkout/buyer.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import {
  type ConsentText,
  getConsentText,
  listAskedConsents,
  type Tick,
  takeConsents,
} from '../../domain/consumer/consent.ts';
import { checkCustomFields } from '../../domain/custom-fields.ts';
import { type InputIssue, Refusal } from '../../domain/errors.ts';
import { isUnpaid } from '../../domain/states/order.ts';
import type { ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { insertSession, lockSession, updateSession } from '../../resources/checkouts/checkouts.queries.ts';
import { findDiscountByCode, listSales } from '../../resources/discounts/discounts.queries.ts';
import { findOrder, lockOrder } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { noteTrialCard } from '../../resources/subscriptions/trials.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { takeTry } from '../limits/limit-tries.ts';
import { cancelPendingCharge } from '../payments/cancel-charge.ts';
import { chargePayment } from '../payments/charge-payment.ts';
import {
  type Connection,
  canWaitFor,
  chooseConnection,
  getConnection,
  hasConnection,
  isScarce,
  refuseAmount,
  refuseAmountOf,
} from '../payments/choose-connection.ts';
import { readStored, readToken } from '../payments/read-token.ts';
import { settleWithoutCharge } from '../payments/settle-payment.ts';
import { type Cart, type CartQuote, needsProcessor, quoteCart } from '../pricing/quote-cart.ts';
import { toOpener } from './admit-order.ts';
import { type PlacedOrder, type Placing, placeOrder } from './place-order.ts';
import { isPutRight } from './put-right.ts';
import { repeatClaim } from './repeat-claim.ts';
import type { Payer, SavedMethod } from './saved-methods.ts';
import { toAsking } from './show-quote.ts';
import { hashFingerprint, noteSpentTrial, refuseSpentTrial } from './spent-trial.ts';
import { validateCustomFields } from './validate-custom-fields.ts';

export interface Submit {
  session: Row<'checkoutSessions'>;
  /** Whether the session's row is yet to be written (purchases through the API). */
  isNewSession: boolean;
  /** By whoever has the link, not by the merchant: limits hold, and a claim that is repeated makes no order. */
  byStranger?: boolean;
  cart: Cart;
  form: BuyerForm;
  /** Null when the buyer gave none, or pays by one of `saved`. */
  method: ChargeMethod | null;
  /** A method that the buyer has proved to be theirs; charged where it lives. */
  saved?: SavedMethod | null;
  /** The method is to be the buyer's own from now on: they have proved who they are. */
  keepsMethod?: boolean;
  /** Whom the merchant asks for the money, as it was read just now; null = nobody of ours, missing = whoever takes it. */
  connection?: Row<'processors'> | null;
  /** Boxes that were ticked; `all` ticks what is asked, and refuses nothing (the merchant's own API). */
  ticks?: readonly Tick[] | 'all';
  /** It is paid on the payment's own page, which asks nothing: a box that is missed is passed over. */
  isOnPayPage?: boolean;
  /** The price that the buyer was shown; null = whatever it is (the merchant's own API). */
  shownFingerprint: string | null;
  /** The total that was shown with it, or by itself; null or missing = none was. */
  shownTotalMinor?: bigint | null;
  ipAddress: string | null;
  /** Whose discounts and taxes it is priced by; missing = those of this moment. */
  pricedAtMs?: number;
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
    ...(submit.pricedAtMs === undefined ? {} : { pricedAtMs: submit.pricedAtMs }),
  });
  const isCodeGone = quote.codeRefusal !== null && (await hasGrantedCode(ctx, scope, submit));
  checkSubmit(submit, quote, isCodeGone);
  const consents = listConsents(submit, quote);
  await validateCustomFields(ctx, cart.customFields, submit.form.customFields);
  const payer = needsProcessor(cart, quote) ? await findPayer(ctx, scope, { submit, quote }) : null;
  const card = payer && (await readCard(ctx, scope, { payer, cart }));
  if (session.orderId) await cancelPendingCharge(ctx, scope, session.orderId);
  const step = await inTransaction(ctx.db, (tx) =>
    place(ctx, scope, { tx, submit, quote, payer, consents, card }),
  ).catch(async (error: unknown) => {
    await noteSpentTrial(ctx, scope, { error, sessionId: session.id, email: submit.form.email });
    if (!isDiscountSpent(error)) throw error;
    const isSale = quote.discount?.type === 'sale';
    if (!isSale && session.orderId === null) throw error;
    // Nobody asked for a sale: who was shown its price is asked again, others pay the price without it. A code that
    // a declined try gave back is asked for once more, and found gone.
    if (isSale && submit.shownFingerprint !== null) throw new Refusal('price_changed', { cause: error });
    return null;
  });
  if (step === null) {
    const sales = await listSales(ctx.db, scope);
    return submitCheckout(ctx, scope, { ...submit, cart: { ...cart, sales } });
  }
  if (step.kind === 'done') return step.sale;
  assert(payer, 'a charge is opened only where there is something to charge');
  const { method, connection } = payer;
  return chargePayment(ctx, scope, {
    provider: connection.provider,
    charge: { ...step.placed, currency: cart.currency, isOnPayPage: submit.isOnPayPage ?? false },
    look: { kind: 'watch_order', refId: step.placed.orderId },
    method,
    offSession: false,
    ...(submit.finish ? { finish: submit.finish } : {}),
  });
}

/** What tells the card that is given from others, as it is kept; of a stored one it is asked for the sake of its trial. */
async function readCard(
  ctx: Context,
  scope: Scope,
  { payer: { connection, method }, cart }: { payer: Payer; cart: Cart },
): Promise<string | null> {
  const { provider } = connection;
  const given = await readToken(provider, method);
  const told = given ?? (cart.trial === null ? null : await readStored(provider, method));
  return told && hashFingerprint(ctx, scope, told);
}

/** What the buyer has agreed to. Nobody who buys over the API is asked. */
function listConsents(submit: Submit, quote: CartQuote): ConsentText[] {
  const { cart, form, byStranger, session, ticks = [], isOnPayPage = false } = submit;
  const asking = { ...toAsking(cart, { quote, form }), isInsisting: !isOnPayPage };
  if (ticks === 'all') {
    const language = session.language ?? cart.settings.checkout.defaultLanguage ?? 'en';
    return listAskedConsents(asking).map((kind) => getConsentText(kind, language));
  }
  return byStranger ? takeConsents(asking, ticks) : [];
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

async function findPayer(
  ctx: Context,
  scope: Scope,
  { submit, quote }: { submit: Submit; quote: CartQuote },
): Promise<Payer> {
  const { method, saved, keepsMethod = false } = submit;
  if (saved) {
    const { takesDays, ...payer } = saved;
    if (takesDays && isScarce(submit.cart, quote)) throw new Refusal('method_not_offered');
    const { name: processor } = payer.connection.provider;
    refuseAmountOf(ctx, { processor, currency: submit.cart.currency, amountMinor: quote.dueNowMinor });
    return { ...payer, keepsMethod: false };
  }
  assert(method, 'what is to be charged for was checked to have a method');
  const connection = await findConnection(ctx, scope, { submit, quote });
  return { connection, method, methodId: null, keepsMethod };
}

/** Throws processor_not_configured, naming the currency that none takes, and what `refuseAmount` throws. */
async function findConnection(
  ctx: Context,
  scope: Scope,
  { submit: { cart, form, method, connection: asking }, quote }: { submit: Submit; quote: CartQuote },
): Promise<Connection> {
  const { currency } = cart;
  const money = { currency, country: form.countryCode, amountMinor: quote.dueNowMinor };
  if (asking !== undefined) {
    const named = getConnection(ctx, scope, { row: asking, ...money });
    refuseAmountOf(ctx, { ...money, processor: named.provider.name });
    return named;
  }
  const asked = { method: method?.kind ?? 'card', ...money };
  const connection = await chooseConnection(ctx, scope, asked);
  const isAwaited = asked.method === 'transfer' && connection?.provider.name !== ctx.payments.sandbox.name;
  if (connection && isAwaited && !canWaitFor(cart, quote)) throw new Refusal('method_not_offered');
  if (connection) return connection;
  await refuseAmount(ctx, scope, money);
  const isTaken = await hasConnection(ctx, scope, { currency, country: form.countryCode });
  if (asked.method === 'card' && isTaken) throw new Refusal('card_data_refused');
  throw new Refusal('processor_not_configured', {
    message: `No processor is set up that takes ${currency}.`,
  });
}

function checkSubmit(
  { cart, form, method, saved, shownFingerprint, shownTotalMinor = null, byStranger = false }: Submit,
  quote: CartQuote,
  isCodeGone: boolean,
): void {
  const isBilled = needsProcessor(cart, quote);
  const billing = { block: cart.settings.checkout, isBilled, isOnPage: byStranger };
  const issues: InputIssue[] = [
    ...checkBuyer(form, toBuyerNeeds(form, billing)),
    ...checkCustomFields(cart.customFields, form.customFields),
  ];
  if (isBilled && method === null && !saved) issues.push({ path: 'card.number', message: 'is required' });
  const [first] = issues;
  if (first) {
    const code = first.path.startsWith('customFields') ? 'custom_field_invalid' : 'invalid_input';
    throw new Refusal(code, { message: `${first.path} ${first.message}`, details: issues });
  }
  if (quote.codeRefusal && !isCodeGone) throw new Refusal(quote.codeRefusal);
  // The buyer pays the amount last shown to them or is asked again.
  const isAsked = shownFingerprint !== null || isCodeGone;
  const isOtherTotal = shownTotalMinor !== null && shownTotalMinor !== quote.totalMinor;
  if ((isAsked && shownFingerprint !== quote.fingerprint) || isOtherTotal) {
    const details = [{ path: 'total', message: `is ${quote.totalMinor} now` }];
    throw new Refusal('price_changed', { details });
  }
}

type Placed = { kind: 'done'; sale: Sale } | { kind: 'charge'; placed: PlacedOrder & { chargeId: string } };

async function place(
  ctx: Step,
  scope: Scope,
  {
    tx,
    submit,
    quote,
    payer,
    consents,
    card,
  }: {
    tx: Tx;
    submit: Submit;
    quote: CartQuote;
    payer: Payer | null;
    consents: ConsentText[];
    /** What tells the card from others, as it is kept; null = nothing. */
    card: string | null;
  },
): Promise<Placed> {
  const openedBy = submit.byStranger ? toOpener(ctx, scope, submit.ipAddress) : null;
  const session = submit.isNewSession ? submit.session : await reopen(ctx, scope, { tx, submit, openedBy });
  const order = session.orderId ? await lockOrder(tx, scope, session.orderId) : undefined;
  if (order) {
    const standing = await findStandingSale(ctx, scope, { tx, order });
    if (standing) return { kind: 'done', sale: standing };
    await limitTry(ctx, scope, { tx, submit, order });
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
    openedBy,
    consents,
    payer,
  };
  const { placed, written } = await placeOrder(ctx, scope, placing);
  if (!submit.isNewSession) await refuseSpentTrial(scope, { tx, cart: submit.cart, card, ...placed });
  await askLast(tx, () => written);
  if (card !== null && submit.cart.trial !== null)
    await noteTrialCard(tx, scope, { orderId: placed.orderId, card });
  if (!order) await submit.begin?.(tx, placed.orderId);
  await askLast(tx, () => keepSession(tx, scope, { submit, orderId: placed.orderId }));
  if (placed.chargeId !== null) return { kind: 'charge', placed: { ...placed, chargeId: placed.chargeId } };
  const isMailHeldBack = await isClaimMailTooMany(ctx, scope, { tx, submit });
  const sale = await settleWithoutCharge(ctx, scope, { tx, paymentId: placed.paymentId, isMailHeldBack });
  await submit.finish?.(tx, sale);
  return { kind: 'done', sale };
}

/** On the payment's own page whoever has its link tries. */
async function limitTry(
  ctx: Step,
  scope: Scope,
  { tx, submit, order }: { tx: Tx; submit: Submit; order: Row<'orders'> },
): Promise<void> {
  const { isOnPayPage = false, byStranger = false, ipAddress, form } = submit;
  const { lastPaymentId: paymentId } = order;
  if (!isOnPayPage || !byStranger || ipAddress === null || paymentId === null) return;
  await takeTry(ctx, scope, { tx, paymentId, ipAddress, email: form.email });
}

/** Whoever types an address has a claim mailed to it. */
async function isClaimMailTooMany(
  ctx: Step,
  scope: Scope,
  { tx, submit: { byStranger, cart, form } }: { tx: Tx; submit: Submit },
): Promise<boolean> {
  if (!byStranger || cart.type !== 'claim_free' || form.email === null) return false;
  return isMailOneTooMany(ctx, scope, { db: tx, kind: 'free_claim', to: form.email });
}

/** The sale of an earlier claim of the same, whose mail goes out again. */
async function findClaim(
  ctx: Step,
  scope: Scope,
  { tx, submit }: { tx: Tx; submit: Submit },
): Promise<Sale | null> {
  const { cart, form, byStranger = false, ipAddress } = submit;
  if (!byStranger || cart.type !== 'claim_free') return null;
  if (ipAddress !== null) {
    const limited = [{ limit: 'free_claim_by_address' as const, of: toAddressKey(ipAddress) }];
    await takeLimited(ctx, scope, { db: tx, limited });
  }
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
  const form = toJson(listSaid(submit.form));
  if (submit.isNewSession) {
    const opened = { id, token, elementId, offerIds, ipAddress, createdAt, expiresAt };
    await insertSession(tx, scope, { ...opened, orderId, form });
  } else await updateSession(tx, scope, { id, orderId, form, lastError: null });
}

async function reopen(
  ctx: Step,
  scope: Scope,
  { tx, submit, openedBy }: { tx: Tx; submit: Submit; openedBy: string | null },
): Promise<Row<'checkoutSessions'>> {
  const session = await lockSession(tx, scope, { id: submit.session.id, openedBy });
  assert(session, 'a session is never deleted while its page is open');
  if (session.orderId === null && session.expiresAt <= ctx.nowMs) throw new Refusal('checkout_expired');
  return session;
}

/** The sale of an order that cannot be tried again: paid already, or being paid in the other tab. */
async function findStandingSale(
  ctx: Step,
  scope: Scope,
  { tx, order }: { tx: Tx; order: Row<'orders'> },
): Promise<Sale | null> {
  if (order.status === 'CANCELLED' || order.status === 'EXPIRED') throw new Refusal('checkout_expired');
  const paymentId = order.lastPaymentId;
  assert(paymentId, 'an order of a checkout has its payment');
  // One that the merchant has put right is paid on the payment's own page, where its sum stands.
  const isOpen = isUnpaid(order) && !(await findPendingCharge(tx, scope, paymentId));
  if (isOpen && !(await isPutRight(tx, scope, order))) return null;
  return loadSale(tx, scope, { orderId: order.id, paymentId, publicUrl: ctx.config.publicUrl });
}
