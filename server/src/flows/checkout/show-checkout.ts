/** What the checkout page shows: the session as it stands, its price, and the receipt once it is paid. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { type BuyerForm, EMPTY_FORM } from '../../domain/checkout/buyer.ts';
import { type Choice, isSameChoice, toMostPerOrder } from '../../domain/checkout/cart.ts';
import { asksReminder } from '../../domain/checkout/reminder.ts';
import { canStartAgain, toLinkPath } from '../../domain/checkout/session-path.ts';
import { COUNTRIES, COUNTRIES_WITHOUT_POSTAL_CODES } from '../../domain/countries.ts';
import { ERRORS, Refusal } from '../../domain/errors.ts';
import { toItemNote } from '../../domain/item-note.ts';
import { toOwnPicture } from '../../domain/own-picture.ts';
import { toShownReason } from '../../domain/payments/shown-decline.ts';
import { toPortalPath } from '../../domain/portal/portal-path.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { isUnpaid } from '../../domain/states/order.ts';
import { CAPTURED } from '../../domain/states/payment.ts';
import { STATES_BY_COUNTRY } from '../../domain/tax/regions.ts';
import { countStockedOffers } from '../../resources/checkouts/carts.queries.ts';
import { findElementCart } from '../../resources/checkouts/checkouts.queries.ts';
import { findLegalPaths } from '../../resources/consumer/legal-pages.queries.ts';
import { findOrder, type OrderRow } from '../../resources/orders/orders.queries.ts';
import { findInitialPayment, findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { toPayUrl } from '../../resources/payments/payments.schema.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { isScarce, listOffered, type Offered } from '../payments/choose-connection.ts';
import { type ShownTransfer, showTransfer } from '../payments/show-transfer.ts';
import { type Cart, type CartQuote, loadCart, needsProcessor, quoteCart } from '../pricing/quote-cart.ts';
import type { Session } from './open-checkout.ts';
import { isUnopened } from './open-prepared.ts';
import { isPutRight } from './put-right.ts';
import { showSaved } from './saved-methods.ts';
import { toQuoteView } from './show-quote.ts';
import { showReceipt } from './show-receipt.ts';
import { showSeller } from './show-seller.ts';
import { withoutSpentTrial } from './spent-trial.ts';

export function toScope(session: Session): Scope {
  return { workspaceId: session.workspaceId, testMode: session.testMode };
}

/** The session's form over an empty one. It was written by us. */
export function toForm(session: Session): BuyerForm {
  return { ...EMPTY_FORM, ...(session.form as Partial<BuyerForm>) };
}

/** The offers of a session: its own, or those that its element has now. */
async function listSessionOffers(ctx: Context, session: Session): Promise<string[]> {
  if (session.elementId === null) return session.offerIds;
  const element = await findElementCart(ctx.db, toScope(session), session.elementId);
  if (!element || (element.isArchived && session.orderId === null)) throw new Refusal('offer_not_for_sale');
  return element.offerIds;
}

interface SessionCart {
  /** What the buyer typed; null = what the session has. */
  typed: Choice | null;
  /** Whom the cart is shown to: a trial may be spent. */
  email: string | null;
  isOrdered?: boolean;
}

/**
 * The cart of a session with the quantities that the buyer typed, or those that the session has: the merchant's, or a
 * link's.
 */
export async function loadSessionCart(
  ctx: Context,
  session: Session,
  { typed, email, isOrdered = false }: SessionCart,
): Promise<Cart> {
  const hasOrder = session.orderId !== null;
  const kept = toForm(session);
  // What an order has already was let pass once: the buyer who sends it again has changed nothing.
  const isKept = typed === null || isSameChoice(typed, kept);
  const { quantity, quantities } = typed ?? kept;
  const cart = await loadCart(ctx.db, toScope(session), {
    offerIds: await listSessionOffers(ctx, session),
    setQuantities: session.setQuantities,
    isFixed: session.lockedFields.includes('quantity'),
    quantity,
    quantities,
    quantityBy: hasOrder && isKept ? 'merchant' : typed === null ? 'link' : 'buyer',
    isOrdered,
  });
  return withoutSpentTrial(cart, { trialSpentBy: session.trialSpentBy, email });
}

/** Where a session is looked at: in a frame of another's page nothing is offered that would lead away from it. */
export interface ShowingPage {
  isFramed: boolean;
}

export interface Onlooker {
  /** A user who has proved to be that; null = nobody in particular. */
  knownId: string | null;
  page: ShowingPage;
}

/** The page's state. A cart that cannot be sold now makes an `unavailable` page, not an error. */
export async function showCheckout(ctx: Context, session: Session, onlooker: Onlooker) {
  const standing = await findStanding(ctx, toScope(session), session);
  // What was paid is shown for good, whatever becomes of the catalogue.
  if (standing.status === 'paid') return showPaid(ctx, session, standing);
  return showUnpaid(ctx, session, { standing, ...onlooker });
}

async function showPaid(ctx: Context, session: Session, { orderId }: Standing & { status: 'paid' }) {
  const scope = toScope(session);
  const store = await getStore(ctx.db, scope);
  const settings = toSettings(store.settings);
  return {
    ...(await loadSessionView(ctx, session, { settings, storeName: store.name })),
    status: 'paid' as const,
    receipt: await showReceipt(ctx, scope, {
      orderId,
      session,
      settings,
      redirectSecret: store.redirectSecret,
      portalPath: toPortalPath({ slug: store.portalSlug, testMode: scope.testMode }),
    }),
  };
}

interface ShownUnpaid extends Onlooker {
  standing: Standing & { status: UnpaidStatus };
}

async function showUnpaid(ctx: Context, session: Session, { standing, knownId, page }: ShownUnpaid) {
  const scope = toScope(session);
  const form = toForm(session);
  const isOrdered = standing.status === 'processing' || standing.status === 'requires_action';
  const cart = await loadSessionCart(ctx, session, { typed: null, email: form.email, isOrdered });
  const quote = await quoteSession(ctx, session, { cart, form });
  const offered = await listOffered(ctx, scope, { cart, quote, country: form.countryCode, page });
  const shut =
    standing.status === 'open'
      ? await findShutReason(ctx, scope, { cart, quote, page, offered, isHolding: standing.isHolding })
      : null;
  return {
    ...(await loadSessionView(ctx, session, cart)),
    status: shut === null ? standing.status : ('unavailable' as const),
    unavailableReason: shut && { code: shut, message: ERRORS[shut].message },
    items: toItems(cart, quote),
    fields: toFields(cart, quote),
    form: { ...toFormValues(form, cart), remind: session.reminderAsked },
    lockedFields: session.lockedFields,
    quote: toQuoteView(ctx, cart, { quote, form, language: session.language, offered }),
    order: standing.order,
    action: standing.actionPath === null ? null : toAction(standing.actionPath, session),
    lastError: standing.status === 'open' ? toShownError(session.lastError) : null,
    transfer: standing.transfer,
    saved:
      knownId === null
        ? null
        : await showSaved(ctx, scope, { userId: knownId, isScarce: isScarce(cart, quote) }),
    asksReminder: asksReminder(cart.settings.checkout, cart.type),
    againUrl: standing.status === 'expired' && canStartAgain(session) ? toAgainUrl(session) : null,
    isUnopened: standing.status === 'open' && isUnopened(ctx, session),
  };
}

function toShownError(error: Session['lastError']): Session['lastError'] {
  return error && { ...error, code: toShownReason(error.code) };
}

/** The price of a session's cart, as whoever holds its link may know it. */
export async function quoteSession(
  ctx: Context,
  session: Session,
  { cart, form }: { cart: Cart; form: BuyerForm },
): Promise<CartQuote> {
  const { orderId } = session;
  // Who has tried to buy was told already, of this address and no other.
  const isStranger = orderId === null || form.email !== toForm(session).email;
  return quoteCart(ctx, toScope(session), { db: ctx.db, cart, form, exceptOrderId: orderId, isStranger });
}

/** Instead of a receipt: what is claimed was claimed before, and its mail went out again. */
export async function showMailed(ctx: Context, session: Session, email: string) {
  const store = await getStore(ctx.db, toScope(session));
  const parts = { settings: toSettings(store.settings), storeName: store.name };
  return { ...(await loadSessionView(ctx, session, parts)), status: 'mailed' as const, email };
}

async function loadSessionView(
  ctx: Context,
  session: Session,
  { settings, storeName }: { settings: Settings; storeName: string },
) {
  return {
    object: 'checkout_session' as const,
    id: session.id,
    apiUrl: `/checkout-sessions/${session.token}`,
    testMode: session.testMode,
    seller: showSeller(settings, storeName),
    legal: await findLegalPaths(ctx.db, toScope(session), toRights(ctx, session)),
    cancelUrl: session.cancelUrl,
  };
}

/** The right of its order outlives what the store offers now. */
const toRights = ({ nowMs }: Context, { orderId }: Session) => (orderId === null ? null : { nowMs, orderId });

/** What the processor asks for is asked of it in the page, where that can show it. */
function toAction(actionPath: string, session: Session) {
  return { url: toActionUrl(actionPath, session), isAsked: actionPath.startsWith('/pay/') };
}

/** A page of ours is told which session its buyer comes from; it leads nobody else there. */
function toActionUrl(actionPath: string, { token }: Session): string {
  return actionPath.startsWith('/') ? `${actionPath}?session=${token}` : actionPath;
}

/** A new session of the same cart, with all that was typed in this one. */
const toAgainUrl = (session: Session): string => `${toLinkPath(session)}?svc-resume=${session.token}`;

type UnpaidStatus = 'open' | 'processing' | 'requires_action' | 'expired';
type Standing =
  | { status: 'paid'; orderId: string }
  | {
      status: UnpaidStatus;
      actionPath: string | null;
      /** Where the buyer is to send the money. */
      transfer: ShownTransfer | null;
      /** The session's own order holds its places and keys, so that none left for others shuts it not. */
      isHolding: boolean;
      order: { id: string; number: string; reference: string | null } | null;
    };

async function findStanding(ctx: Context, scope: Scope, session: Session): Promise<Standing> {
  const none = { actionPath: null, transfer: null, isHolding: false, order: null };
  if (session.orderId === null) {
    return { status: session.expiresAt <= ctx.nowMs ? 'expired' : 'open', ...none };
  }
  // Before the order: one that is settled in between is seen as paid, never as one to be paid again.
  const charge = await findPendingChargeOfOrder(ctx.db, scope, session.orderId);
  const order = await findOrder(ctx.db, scope, session.orderId);
  // A paid order that was called off keeps its money, and its buyer the proof of it.
  if (order && (order.paidAt !== null || CAPTURED.has(order.status)))
    return { status: 'paid', orderId: order.id };
  if (!order || !isUnpaid(order)) return { status: 'expired', ...none };
  const shown = { ...none, order: toShownOrder(order) };
  // A correction stops the try that was under way: the buyer may begin another, for the sum that it says.
  if (!charge) {
    const actionPath = await findPayUrl(ctx, scope, order);
    if (actionPath !== null) return { ...shown, status: 'requires_action', actionPath };
    return { ...shown, status: 'open', isHolding: order.holds === 'held' };
  }
  const { actionPath } = charge;
  const { language } = session;
  return {
    ...shown,
    status: actionPath === null ? 'processing' : 'requires_action',
    actionPath,
    transfer: await showTransfer(ctx, scope, { charge, reference: order.number, language }),
  };
}

/** Where an order is paid that a merchant has put right; null where it is paid here, at the price of its cart. */
async function findPayUrl(ctx: Context, scope: Scope, order: OrderRow): Promise<string | null> {
  if (!(await isPutRight(ctx.db, scope, order))) return null;
  return toPayUrl(ctx.config.publicUrl, await findInitialPayment(ctx.db, scope, order.id));
}

function toShownOrder({ id, number, reference }: { id: string; number: string; reference: string | null }) {
  return { id, number, reference };
}

interface ShutAsking {
  /** To the buyer from where they are. */
  offered: Offered;
  page: ShowingPage;
  cart: Cart;
  quote: CartQuote;
  isHolding: boolean;
}

/** Why nothing can be bought here now: a code of the catalogue, for which the page has words. */
async function findShutReason(
  ctx: Context,
  scope: Scope,
  { cart, quote, page, offered, isHolding }: ShutAsking,
): Promise<'store_held' | 'workspace_suspended' | 'sold_out' | 'processor_not_configured' | null> {
  if (cart.isHeld) return 'store_held';
  if (cart.workspaceState !== 'active') return 'workspace_suspended';
  if (!isHolding && (await isSoldOut(ctx, scope, cart))) return 'sold_out';
  if (!needsProcessor(cart, quote) || isPayable(offered)) return null;
  // A country that nobody takes can be mended on the page.
  const somewhere = await listOffered(ctx, scope, { cart, quote, country: null, page });
  return isPayable(somewhere) ? null : 'processor_not_configured';
}

/** Here, or on the whole page. */
const isPayable = ({ methods, hasMoreWays }: Offered): boolean => methods.length > 0 || hasMoreWays;

async function isSoldOut(ctx: Context, scope: Scope, { lines }: Cart): Promise<boolean> {
  const isFull = lines.some(
    ({ offer }) => offer.salesLimit !== null && offer.soldCount + offer.heldCount >= offer.salesLimit,
  );
  const keyed = lines.filter(({ offer }) => offer.hasKeys).map(({ offer }) => offer.id);
  if (isFull || keyed.length === 0) return isFull;
  return (await countStockedOffers(ctx.db, scope, keyed)) < keyed.length;
}

function toItems(cart: Cart, quote: CartQuote) {
  const recurring = cart.interval && { interval: cart.interval.unit, count: cart.interval.count };
  const trial = cart.trial &&
    quote.trialEndMs !== null && {
      interval: cart.trial.unit,
      count: cart.trial.count,
      endsAt: quote.trialEndMs,
    };
  return cart.lines.map(({ offer, quantity }) => ({
    offerId: offer.id,
    name: toItemName(offer),
    note: toItemNote({ ...offer, name: toItemName(offer) }),
    description: offer.description ?? offer.productDescription,
    cover: toOwnPicture(offer.cover ?? offer.productCover),
    features: listFeatures(offer),
    quantity,
    unitPrice: Number(offer.price),
    originalPrice: offer.originalPrice === null ? null : Number(offer.originalPrice),
    mutableQuantity: offer.mutableQuantity,
    maxQuantity: toMostPerOrder(offer),
    recurring,
    trial: trial || null,
    warningMessage: offer.warningMessage,
  }));
}

const toItemName = ({ name, productName }: Cart['lines'][number]['offer']): string => name ?? productName;

/** The plan's own, else the product's. */
function listFeatures({ variantFeatures, productFeatures }: Cart['lines'][number]['offer']): string[] {
  const features = variantFeatures?.length ? variantFeatures : productFeatures;
  return features.map(({ value }) => value);
}

function toFields(cart: Cart, quote: CartQuote) {
  return {
    countries: cart.type === 'claim_free' ? [] : [...COUNTRIES],
    buyer: { name: cart.settings.checkout.buyerName, address: cart.settings.checkout.buyerAddress },
    postalCodeCountries: ['US', 'CA', 'UA', 'IN'],
    noPostalCodeCountries: COUNTRIES_WITHOUT_POSTAL_CODES,
    statesByCountry: STATES_BY_COUNTRY,
    custom: cart.customFields.map(({ key, label, type, required, options, pattern }) => ({
      key,
      label,
      type,
      required,
      options,
      pattern,
    })),
    paymentRequired: needsProcessor(cart, quote),
  };
}

function toFormValues(form: BuyerForm, cart: Cart) {
  return {
    email: form.email ?? '',
    firstName: form.firstName ?? '',
    lastName: form.lastName ?? '',
    countryCode: form.countryCode ?? '',
    state: form.state ?? '',
    city: form.city ?? '',
    postalCode: form.postalCode ?? '',
    type: form.type,
    companyName: form.companyName ?? '',
    taxNumber: form.taxNumber ?? '',
    address: form.address ?? '',
    quantities: Object.fromEntries(
      cart.lines.flatMap(({ offer, quantity }) => (offer.mutableQuantity ? [[offer.id, quantity]] : [])),
    ),
    discountCode: form.discountCode ?? '',
    customFields: pickKnownFields(form.customFields, cart),
  };
}

/** A link may carry anything, such as the marks of a campaign; what no field asks for is no answer. */
export function pickKnownFields(
  values: Record<string, string>,
  { customFields }: Cart,
): Record<string, string> {
  const known = new Set(customFields.map(({ key }) => key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => known.has(key)));
}
