/** What the checkout page shows: the session as it stands, its price, and the receipt once it is paid. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { toMostPerOrder } from '../../domain/checkout/cart.ts';
import { COUNTRIES } from '../../domain/countries.ts';
import { ERRORS, Refusal } from '../../domain/errors.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { boundaryMs } from '../../domain/subscriptions/period.ts';
import { needsState, toPlace } from '../../domain/tax/location.ts';
import { CA_PROVINCES, US_STATES } from '../../domain/tax/regions.ts';
import { countStockedOffers } from '../../resources/checkouts/carts.queries.ts';
import { findElementCart } from '../../resources/checkouts/checkouts.queries.ts';
import { findOrder } from '../../resources/orders/orders.queries.ts';
import { findPendingChargeOfOrder } from '../../resources/payments/payments.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { type Cart, type CartQuote, loadCart, needsProcessor, quoteCart } from '../pricing/quote-cart.ts';
import type { Session } from './open-checkout.ts';
import { showReceipt, toOwnPicture } from './show-receipt.ts';
import { withoutSpentTrial } from './spent-trial.ts';

export const EMPTY_FORM: BuyerForm = {
  email: null,
  firstName: null,
  lastName: null,
  countryCode: null,
  state: null,
  city: null,
  postalCode: null,
  type: 'individual',
  companyName: null,
  taxNumber: null,
  quantity: null,
  discountCode: null,
  customFields: {},
};

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
  typedQuantity: number | null;
  /** Whom the cart is shown to: a trial may be spent. */
  email: string | null;
  isOrdered?: boolean;
}

/**
 * The cart of a session with the quantity that the buyer typed, or null for the one that the session has: the
 * merchant's, when the order was made through the API, or a link's.
 */
export async function loadSessionCart(
  ctx: Context,
  session: Session,
  { typedQuantity, email, isOrdered = false }: SessionCart,
): Promise<Cart> {
  const hasOrder = session.orderId !== null;
  const kept = toForm(session).quantity;
  // What an order has already was let pass once: the buyer who sends it again has changed nothing.
  const isKept = typedQuantity === null || typedQuantity === kept;
  const cart = await loadCart(ctx.db, toScope(session), {
    offerIds: await listSessionOffers(ctx, session),
    quantity: typedQuantity ?? kept,
    quantityBy: hasOrder && isKept ? 'merchant' : typedQuantity === null ? 'link' : 'buyer',
    isOrdered,
  });
  return withoutSpentTrial(cart, { trialSpentBy: session.trialSpentBy, email });
}

/** The page's state. A cart that can not be sold now makes an `unavailable` page, not an error. */
export async function showCheckout(ctx: Context, session: Session) {
  const standing = await findStanding(ctx, toScope(session), session);
  // What was paid is shown for good, whatever becomes of the catalogue.
  return standing.status === 'paid' ? showPaid(ctx, session, standing) : showUnpaid(ctx, session, standing);
}

async function showPaid(ctx: Context, session: Session, { orderId }: Standing & { status: 'paid' }) {
  const scope = toScope(session);
  const store = await getStore(ctx.db, scope);
  const settings = toSettings(store.settings);
  return {
    ...toSessionView(session, { settings, storeName: store.name }),
    status: 'paid' as const,
    receipt: await showReceipt(ctx, scope, { orderId, session, settings }),
  };
}

async function showUnpaid(ctx: Context, session: Session, standing: Standing & { status: UnpaidStatus }) {
  const scope = toScope(session);
  const form = toForm(session);
  const isOrdered = standing.status === 'processing' || standing.status === 'requires_action';
  const cart = await loadSessionCart(ctx, session, { typedQuantity: null, email: form.email, isOrdered });
  const quote = await quoteSession(ctx, session, { cart, form });
  const shut =
    standing.status === 'open'
      ? await findShutReason(ctx, scope, { cart, quote, isHolding: standing.isHolding })
      : null;
  return {
    ...toSessionView(session, cart),
    status: shut === null ? standing.status : ('unavailable' as const),
    unavailableReason: shut && { code: shut, message: ERRORS[shut].message },
    items: toItems(cart, quote),
    fields: toFields(cart, quote),
    form: toFormValues(form, cart),
    quote: toQuoteView(ctx, cart, { quote, form }),
    action: standing.actionPath === null ? null : { url: toActionUrl(standing.actionPath, session) },
    lastError: standing.status === 'open' ? session.lastError : null,
  };
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
  return { ...toSessionView(session, parts), status: 'mailed' as const, email };
}

function toSessionView(session: Session, { settings, storeName }: { settings: Settings; storeName: string }) {
  return {
    object: 'checkout_session' as const,
    id: session.id,
    apiUrl: `/checkout-sessions/${session.token}`,
    testMode: session.testMode,
    seller: { name: settings.seller.name ?? storeName, supportEmail: settings.seller.email },
  };
}

/** Where the session's page is. */
export function toSessionPath({ elementId, offerIds, token }: Session): string {
  const base = elementId === null ? `/checkout/${offerIds[0]}` : `/checkout-element/${elementId}`;
  return `${base}/checkout/${token}`;
}

/** A page of ours is told which session its buyer comes from; it leads nobody else there. */
function toActionUrl(actionPath: string, { token }: Session): string {
  return actionPath.startsWith('/') ? `${actionPath}?session=${token}` : actionPath;
}

type UnpaidStatus = 'open' | 'processing' | 'requires_action' | 'expired';
type Standing =
  | { status: 'paid'; orderId: string }
  | {
      status: UnpaidStatus;
      actionPath: string | null;
      /** The session's own order holds its places and keys, so that none left for others shuts it not. */
      isHolding: boolean;
    };

async function findStanding(ctx: Context, scope: Scope, session: Session): Promise<Standing> {
  const none = { actionPath: null, isHolding: false };
  if (session.orderId === null) {
    return { status: session.expiresAt <= ctx.nowMs ? 'expired' : 'open', ...none };
  }
  const order = await findOrder(ctx.db, scope, session.orderId);
  switch (order?.status) {
    case 'PAID':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
      return { status: 'paid', orderId: session.orderId };
    case 'PENDING': {
      const charge = await findPendingChargeOfOrder(ctx.db, scope, session.orderId);
      const actionPath = charge?.actionPath ?? null;
      return { ...none, status: actionPath === null ? 'processing' : 'requires_action', actionPath };
    }
    case 'FAILED':
      return { ...none, status: 'open', isHolding: order.holds === 'held' };
    default:
      // A paid order that was called off keeps its money, and its buyer the proof of it.
      if (order && order.paidAt !== null) return { status: 'paid', orderId: order.id };
      return { status: 'expired', ...none };
  }
}

/** Why nothing can be bought here now: a code of the catalogue, for which the page has words. */
async function findShutReason(
  ctx: Context,
  scope: Scope,
  { cart, quote, isHolding }: { cart: Cart; quote: CartQuote; isHolding: boolean },
): Promise<'workspace_suspended' | 'sold_out' | 'processor_not_configured' | null> {
  if (cart.workspaceState !== 'active') return 'workspace_suspended';
  if (!isHolding && (await isSoldOut(ctx, scope, cart))) return 'sold_out';
  const lacksProcessor = needsProcessor(cart, quote) && ctx.payments.providerFor(scope) === null;
  return lacksProcessor ? 'processor_not_configured' : null;
}

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
    name: offer.name ?? offer.productName,
    variantName: offer.variantName,
    description: offer.description ?? offer.productDescription,
    cover: toOwnPicture(offer.cover ?? offer.productCover),
    quantity,
    unitPrice: Number(offer.price),
    originalPrice: offer.originalPrice === null ? null : Number(offer.originalPrice),
    mutableQuantity: offer.mutableQuantity && cart.lines.length === 1,
    maxQuantity: toMostPerOrder(offer),
    recurring,
    trial: trial || null,
    warningMessage: offer.warningMessage,
  }));
}

const STATES = {
  US: Object.entries(US_STATES).map(([code, name]) => ({ code, name })),
  CA: Object.entries(CA_PROVINCES).map(([code, name]) => ({ code, name })),
};

function toFields(cart: Cart, quote: CartQuote) {
  return {
    countries: cart.type === 'claim_free' ? [] : [...COUNTRIES],
    postalCodeCountries: ['US', 'CA', 'UA', 'IN'],
    statesByCountry: STATES,
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
    quantity: cart.lines[0]?.quantity ?? 1,
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

/** Whether the buyer has said enough of where they are for the tax to be a figure. */
function canTellPlace({ countryCode, state, postalCode }: BuyerForm): boolean {
  if (countryCode === null) return false;
  return !needsState(countryCode) || toPlace({ countryCode, state, postalCode }).region !== null;
}

/** The quote as the page draws it: no sums are made in the browser. */
export function toQuoteView(
  ctx: Context,
  cart: Cart,
  { quote, form }: { quote: CartQuote; form: BuyerForm },
) {
  const { codeRefusal, discount } = quote;
  const isPlaceKnown = canTellPlace(form);
  return {
    currency: cart.currency,
    currencyDecimals: currencyDecimals(cart.currency),
    inclusive: quote.inclusive,
    subtotal: Number(quote.subtotalMinor),
    discount: Number(quote.discountMinor),
    tax: isPlaceKnown ? Number(quote.taxMinor) : null,
    total: Number(quote.totalMinor),
    dueNow: Number(quote.dueNowMinor),
    reason: isPlaceKnown ? quote.reason : null,
    lines: quote.lines.map((line, index) => ({
      name: cart.lines[index]?.offer.name ?? cart.lines[index]?.offer.productName ?? '',
      quantity: line.quantity,
      subtotal: Number(line.subtotalMinor),
      discount: Number(line.discountMinor),
      tax: Number(line.taxMinor),
      total: Number(line.totalMinor),
    })),
    taxLines: sumTaxes(quote),
    appliedDiscount: discount && toAppliedDiscount(discount),
    codeError: codeRefusal && { code: codeRefusal, message: ERRORS[codeRefusal].message },
    codeUnused: quote.codeUnused,
    renewal: toRenewal(ctx, cart, quote),
    fingerprint: quote.fingerprint,
  };
}

function toRenewal(ctx: Context, { interval }: Cart, { renewalMinor, trialEndMs }: CartQuote) {
  if (interval === null || renewalMinor === null) return null;
  const startsAt = trialEndMs ?? boundaryMs(ctx.nowMs, interval, 1);
  return { amount: Number(renewalMinor), interval: interval.unit, count: interval.count, startsAt };
}

/** One line per tax, summed over the cart. */
function sumTaxes({ lines }: CartQuote) {
  const sums = new Map<
    string,
    { name: string; country: string; region: string | null; percentage: number; amount: number }
  >();
  for (const rate of lines.flatMap((line) => line.rates)) {
    const key = `${rate.name} ${rate.country} ${rate.region} ${rate.ratePpm}`;
    const { name, country, region } = rate;
    const sum = sums.get(key) ?? { name, country, region, percentage: rate.ratePpm / 10_000, amount: 0 };
    sums.set(key, { ...sum, amount: sum.amount + Number(rate.amountMinor) });
  }
  return [...sums.values()].filter(({ amount }) => amount !== 0);
}
