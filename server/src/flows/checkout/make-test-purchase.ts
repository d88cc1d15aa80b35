/** A purchase through the API: a session of its own and then what the checkout page does. */
import type { Context } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { readTogether } from '../../db/transaction.ts';
import { type BuyerForm, listBilled, withDetails } from '../../domain/checkout/buyer.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import type { CardWallet } from '../../domain/processors/card-words.ts';
import { FIELD_TYPES } from '../../domain/processors/method-types.ts';
import type { ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { findElementCart, findSessionOfOrder } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder } from '../../resources/orders/orders.queries.ts';
import { findNewestCharge } from '../../resources/payments/payments.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { findUserByEmail } from '../../resources/users/users.queries.ts';
import { TOKEN_INVALID } from '../payments/read-token.ts';
import { INTERRUPTED } from '../payments/reconcile-charge.ts';
import { resumeCharge } from '../payments/resume-charge.ts';
import { type Cart, loadCart } from '../pricing/quote-cart.ts';
import { draftSession, type Session } from './open-checkout.ts';
import { submitCheckout } from './submit-checkout.ts';

export interface TestPurchase {
  elementId: string | null;
  offerIds: string[];
  form: BuyerForm;
  /** A sandbox card's number, whose expiry and security code need not be given; or what a processor calls a method. */
  card: string;
  /** Whom it is bought over in place of the sandbox: `card` is a name of its test methods there. */
  processorId: string | null;
  wallet: CardWallet | null;
  /** Ticks what the page would ask. */
  consent: boolean;
  ipAddress: string;
}

export interface TestPurchaseHooks {
  /** The idempotency key of the request: the order it stands for, if an earlier request with it died. */
  claim: { resumeId: string | null; begin: (tx: Tx, orderId: string) => Promise<void> };
  finish: (tx: Tx, sale: Sale) => Promise<void>;
}

export async function makeTestPurchase(
  ctx: Context,
  scope: Scope,
  { purchase, hooks }: { purchase: TestPurchase; hooks: TestPurchaseHooks },
): Promise<Sale> {
  if (!scope.testMode) throw new Refusal('test_mode_only');
  const { claim } = hooks;
  if (claim.resumeId) return goOn(ctx, scope, { purchase, hooks, orderId: claim.resumeId });
  return submit(ctx, scope, { purchase, hooks });
}

interface Buying {
  purchase: TestPurchase;
  hooks: TestPurchaseHooks;
}

/** `session` is that of an order which is tried again; missing = a new one. */
async function submit(
  ctx: Context,
  scope: Scope,
  { purchase, hooks, session }: Buying & { session?: Session },
): Promise<Sale> {
  const offerIds = await findOffers(ctx, scope, purchase);
  const user = await findBuyer(ctx, scope, purchase);
  const asked = { offerIds, quantity: purchase.form.quantity, quantityBy: 'merchant' as const };
  const [cart, connection] = await readTogether(ctx.db, (one) =>
    Promise.all([loadCart(one, scope, asked), findNamed(one, scope, purchase)]),
  );
  return submitCheckout(ctx, scope, {
    session: session ?? toSession(ctx, scope, { purchase, offerIds, language: user?.language ?? null }),
    isNewSession: session === undefined,
    cart,
    form: withStoredDetails(purchase.form, { user, cart }),
    method: toMethod(ctx, { purchase, connection }),
    ...(connection === undefined ? {} : { connection }),
    shownFingerprint: null,
    ticks: purchase.consent ? 'all' : [],
    ipAddress: purchase.ipAddress,
    begin: (tx, orderId) => hooks.claim.begin(tx, orderId),
    finish: hooks.finish,
  });
}

/**
 * The request that made this order died: the same charge is made. One that the work looking after it has closed
 * meanwhile, since it had never come to the processor, is made anew; else the order is answered as it stands.
 */
async function goOn(
  ctx: Context,
  scope: Scope,
  { purchase, hooks, orderId }: Buying & { orderId: string },
): Promise<Sale> {
  const connection = await findNamed(ctx.db, scope, purchase);
  const typed = toMethod(ctx, { purchase, connection });
  const resumed = await resumeCharge(ctx, scope, { orderId, typed, finish: hooks.finish });
  if (resumed) return resumed;
  const order = await findOrder(ctx.db, scope, orderId);
  if (!order?.lastPaymentId) throw new Refusal('not_found');
  const { lastPaymentId: paymentId } = order;
  const last = await findNewestCharge(ctx.db, scope, paymentId);
  const isInterrupted = order.status === 'FAILED' && last?.declineReason === INTERRUPTED;
  if (order.status === 'FAILED' && last?.declineReason === TOKEN_INVALID)
    throw new Refusal('payment_token_invalid');
  const session = isInterrupted ? await findSessionOfOrder(ctx.db, scope, orderId) : undefined;
  if (session) return submit(ctx, scope, { purchase, hooks, session });
  return loadSale(ctx.db, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
}

async function findOffers(
  ctx: Context,
  scope: Scope,
  { elementId, offerIds }: TestPurchase,
): Promise<string[]> {
  if (elementId === null) return offerIds;
  const element = await findElementCart(ctx.db, scope, elementId);
  if (!element) throw notFound('checkout element', elementId);
  if (element.isArchived) throw new Refusal('offer_not_for_sale');
  return element.offerIds;
}

function toSession(
  ctx: Context,
  scope: Scope,
  { purchase, offerIds, language }: { purchase: TestPurchase; offerIds: string[]; language: string | null },
): Session {
  const { elementId, ipAddress } = purchase;
  return draftSession(ctx, scope, {
    token: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
    elementId,
    offerIds: elementId === null ? offerIds : [],
    ipAddress,
    language,
  });
}

/** Looked for only where it makes a difference: who says all and agrees to nothing is read with the order. */
async function findBuyer(
  ctx: Context,
  scope: Scope,
  { form, consent }: TestPurchase,
): Promise<Row<'users'> | undefined> {
  if (form.email === null || (!consent && form.countryCode !== null)) return undefined;
  return findUserByEmail(ctx.db, scope, form.email);
}

/** A known buyer who says nothing of their address is billed by what they said before. */
function withStoredDetails(
  form: BuyerForm,
  { user, cart }: { user: Row<'users'> | undefined; cart: Cart },
): BuyerForm {
  if (form.countryCode !== null || cart.type === 'claim_free') return form;
  return withDetails(withDetails(form, user?.billingDetails ?? {}), listBilled(form));
}

/** Missing = the purchase names none; null = it names one that is not there. */
async function findNamed(
  db: Db,
  scope: Scope,
  { processorId }: TestPurchase,
): Promise<Row<'processors'> | null | undefined> {
  return processorId === null ? undefined : ((await findProcessor(db, scope, processorId)) ?? null);
}

interface Choosing {
  purchase: TestPurchase;
  connection: Row<'processors'> | null | undefined;
}

/** Throws invalid_input for what the processor is not paid by. */
function toMethod(
  ctx: Pick<Context, 'nowMs' | 'payments'>,
  { purchase: { card, wallet }, connection }: Choosing,
): ChargeMethod {
  if (connection !== undefined) return toMethodOf(ctx, { connection, name: card });
  const year = new Date(ctx.nowMs).getUTCFullYear() + 3;
  return {
    kind: 'card',
    number: card,
    expiry: `12/${year}`,
    cvc: /^3[47]/.test(card) ? '1234' : '123',
    holder: null,
    ...(wallet ? { wallet } : {}),
  };
}

/** `name`: of a test method of the processor's; blank = none was named. */
function toMethodOf(
  ctx: Pick<Context, 'payments'>,
  { connection, name }: { connection: Row<'processors'> | null; name: string },
): ChargeMethod {
  // Of one that is not there nothing is known: it is refused as such.
  const methods = connection ? (ctx.payments.kindNamed(connection.kind)?.capabilities.methods ?? []) : [];
  if (name === '') {
    if (methods.includes('token')) throw invalidField('paymentMethod', 'is required');
    return methods.includes('redirect') ? { kind: 'redirect' } : { kind: 'transfer' };
  }
  if (connection && !methods.includes('token'))
    throw invalidField('paymentMethod', `is nothing that ${connection.kind} takes`);
  // Of which types it may be, its name does not say.
  return { kind: 'token', reference: name, types: FIELD_TYPES, isInPage: false };
}
