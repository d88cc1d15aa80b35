/** The price of a cart for a buyer: what the page shows and what a submit charges are this one computation. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { readTogether } from '../../db/transaction.ts';
import type { BuyerForm, Quantities } from '../../domain/checkout/buyer.ts';
import {
  canSell,
  type CartLine as Line,
  type OrderType,
  toCartLines,
  toInterval,
  toMostPerOrder,
  toOrderType,
  toTrial,
} from '../../domain/checkout/cart.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import type { DiscountTerms } from '../../domain/pricing/discount.ts';
import {
  computeQuote,
  type Quote,
  type QuoteInput,
  type QuoteLine,
  toTaxRequest,
} from '../../domain/pricing/quote.ts';
import { refuseUntaxable } from '../../domain/pricing/totals.ts';
import { type Settings, toSettings } from '../../domain/settings.ts';
import { type Interval, trialEndMs } from '../../domain/subscriptions/period.ts';
import type { TaxRules } from '../../domain/tax/decide-by-table.ts';
import { type ProductType, toTaxCategory } from '../../domain/tax/taxability.ts';
import {
  type CartOffer,
  countUserRedemptions,
  listActiveCustomFields,
  listCartOffers,
} from '../../resources/checkouts/carts.queries.ts';
import { findHeldDiscount } from '../../resources/checkouts/holds.queries.ts';
import { findDiscountByCode, listSales } from '../../resources/discounts/discounts.queries.ts';
import { toTerms } from '../../resources/discounts/discounts.schema.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { askTaxNumber } from './check-tax-number.ts';

export type CartLine = Line<CartOffer>;

export interface Cart {
  lines: CartLine[];
  currency: string;
  type: OrderType;
  /** Of a subscription: the interval it renews by and the trial it begins with. */
  interval: Interval | null;
  trial: Interval | null;
  /** Definitions of the fields that apply to a product of the cart. */
  customFields: Array<Row<'customFields'>>;
  /** Discounts without a code that are on, whatever they are for. */
  sales: Array<Row<'discounts'>>;
  settings: Settings;
  storeName: string;
  workspaceState: string;
  /** It may be a copy of a living store: nothing is sold here until somebody says what it is. */
  isHeld: boolean;
}

export interface CartRequest {
  offerIds: readonly string[];
  /** Of each line that the merchant chose for this buyer: it stands as it is. */
  setQuantities?: Quantities;
  /** The buyer chooses nothing, whatever an offer lets them. */
  isFixed?: boolean;
  /** Of the only line. */
  quantity: number | null;
  /** Of single lines by their offers. */
  quantities?: Quantities;
  /**
   * Who chose the quantity: a merchant's stands as it is. A buyer chooses where the offer lets them, and up to its
   * bound; what a link brought along is passed over where it could not be chosen, not refused.
   */
  quantityBy: 'merchant' | 'buyer' | 'link';
  /** An order stands already: it is shown whatever has become of its offers. */
  isOrdered?: boolean;
}

const QUANTITY_MAX = 10_000;

/** Loads a cart as it can be sold now. Refuses offers that are not for sale and impossible quantities. */
export async function loadCart(db: Db, scope: Scope, request: CartRequest): Promise<Cart> {
  const [offers, customFields, store, sales] = await readTogether(db, (one) =>
    Promise.all([
      listCartOffers(one, scope, [...new Set(request.offerIds)]),
      listActiveCustomFields(one, scope),
      getStore(one, scope),
      listSales(one, scope),
    ]),
  );
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  const missing = request.offerIds.find((id) => !byId.has(id));
  if (missing !== undefined) throw notFound('offer', missing);
  const lines = withQuantities(toCartLines(request.offerIds, byId), request);
  const [first] = lines;
  const isForSale = request.isOrdered || lines.every(({ offer }) => canSell(offer));
  if (!first || !isForSale) throw new Refusal('offer_not_for_sale');
  const type = toOrderType(lines);
  if (type === 'subscription_initial' && lines.length > 1) throw new Refusal('mixed_offers');
  const projects = new Set(offers.map((offer) => offer.projectId));
  return {
    lines,
    currency: first.offer.currency,
    type,
    interval: toInterval(first.offer),
    trial: toTrial(first.offer),
    customFields: customFields.filter(({ projectId }) => projectId === null || projects.has(projectId)),
    sales,
    settings: toSettings(store.settings),
    storeName: store.name,
    workspaceState: store.state,
    isHeld: store.isHeld,
  };
}

function withQuantities(drafted: CartLine[], request: CartRequest): CartLine[] {
  const { setQuantities = {}, isFixed = false, quantityBy } = request;
  const lines = drafted.map(({ offer, quantity }) => ({
    offer: isFixed ? { ...offer, mutableQuantity: false } : offer,
    quantity: setQuantities[offer.id] ?? quantity,
  }));
  const chosen = listChosen(lines, request);
  return lines.map((line) => {
    const choice = chosen.find(({ offerId }) => offerId === line.offer.id);
    return choice ? withQuantity(line, { ...choice, quantityBy }) : line;
  });
}

interface Choice {
  offerId: string;
  quantity: number;
  /** Where it stands in the request. */
  path: string;
}

function listChosen(lines: CartLine[], { quantity, quantities = {}, quantityBy }: CartRequest): Choice[] {
  const isLink = quantityBy === 'link';
  const chosen = Object.entries(quantities).map(([offerId, count]) => {
    const path = `quantities.${offerId}`;
    if (!isLink && !lines.some(({ offer }) => offer.id === offerId))
      throw invalidField(path, 'is not in the cart');
    return { offerId, quantity: count, path };
  });
  const [line] = lines;
  if (quantity === null || !line) return chosen;
  if (lines.length === 1) return [{ offerId: line.offer.id, quantity, path: 'quantity' }, ...chosen];
  if (isLink) return chosen;
  throw invalidField('quantity', 'can only be given for a single offer');
}

function withQuantity(
  line: CartLine,
  { quantity, quantityBy, path }: Choice & Pick<CartRequest, 'quantityBy'>,
): CartLine {
  const most = toMostPerOrder(line.offer);
  const isAbove = quantityBy !== 'merchant' && most !== null && quantity > most;
  if (quantityBy === 'link' && (!line.offer.mutableQuantity || isAbove)) return line;
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > QUANTITY_MAX) {
    throw invalidField(path, `must be a whole number from 1 to ${QUANTITY_MAX}`);
  }
  if (quantity === line.quantity) return line;
  if (quantityBy === 'buyer' && !line.offer.mutableQuantity) throw new Refusal('quantity_not_mutable');
  if (isAbove) throw aboveLimit(path, most);
  return { ...line, quantity };
}

function aboveLimit(path: string, most: number): Refusal {
  const issue = { path, message: `must be at most ${most}` };
  return new Refusal('quantity_above_limit', { message: `${issue.path} ${issue.message}`, details: [issue] });
}

export interface CartQuote extends Quote {
  /** What is paid now: nothing while a trial runs. */
  dueNowMinor: bigint;
  /** When the trial ends that a purchase now would begin; null without one. */
  trialEndMs: number | null;
  /** Names the price: a submit that was shown another one is told so. */
  fingerprint: string;
  /** What each further interval costs as far as it is known now; null for a one-time purchase. */
  renewalMinor: bigint | null;
}

interface Pricing {
  db: Db;
  form: BuyerForm;
  /** The purchase's own order, whose redemption does not count against it. */
  exceptOrderId: string | null;
  /**
   * Whoever asks has typed an address and bought nothing with it: the price tells them nothing of what its owner did.
   * What that changes is told when they buy.
   */
  isStranger?: boolean;
  /** The moment whose discounts and taxes count; missing = this one. */
  pricedAtMs?: number;
}

export async function quoteCart(
  ctx: Context,
  scope: Scope,
  { cart, ...pricing }: Pricing & { cart: Cart },
): Promise<CartQuote> {
  const { currency, settings, sales } = cart;
  const lines = cart.lines.map(toQuoteLine);
  const { quote, input, taxRules } = await quoteLines(ctx, scope, {
    ...pricing,
    priced: { lines, currency, settings, sales },
  });
  if (cart.interval !== null) refuseUntaxable(quote.lines);
  const dueNowMinor = cart.trial === null ? quote.totalMinor : 0n;
  return {
    ...quote,
    dueNowMinor,
    trialEndMs: cart.trial === null ? null : trialEndMs(ctx.nowMs, cart.trial),
    fingerprint: `${cart.currency}:${quote.totalMinor}:${dueNowMinor}`,
    renewalMinor:
      cart.interval === null
        ? null
        : computeRenewal(cart, quote, () => computeQuote({ ...input, sales: [], code: null }, taxRules)),
  };
}

export interface PricedLines {
  lines: QuoteLine[];
  currency: string;
  settings: Settings;
  /** Missing = they are asked for. */
  sales?: Array<Row<'discounts'>>;
}

/** Prices lines for a buyer, wherever they come from: discounts and tax as they are at this moment. */
export async function quoteLines(
  ctx: Context,
  scope: Scope,
  { priced, form, exceptOrderId, db, isStranger = false, pricedAtMs }: Pricing & { priced: PricedLines },
): Promise<{ quote: Quote; input: QuoteInput; taxRules: TaxRules }> {
  const { currency, lines, settings } = priced;
  const [sales, code] = await Promise.all([
    priced.sales ?? listSales(db, scope),
    form.discountCode === null ? null : findDiscountByCode(db, scope, form.discountCode),
  ]);
  // What this purchase holds already must not count against it when a declined buyer tries again.
  const ownDiscountId = exceptOrderId === null ? null : await findHeldDiscount(db, scope, exceptOrderId);
  const isLimited = [...sales, ...(code ? [code] : [])].some(({ limitPerUser }) => limitPerUser !== null);
  const userRedemptions =
    isLimited && form.email !== null && !isStranger
      ? await countUserRedemptions(db, scope, { emailNormal: toEmailNormal(form.email), exceptOrderId })
      : new Map<string, number>();
  const input: QuoteInput = {
    nowMs: pricedAtMs ?? ctx.nowMs,
    currency,
    lines,
    pricesIncludeTax: settings.pricesIncludeTax,
    sales: sales.map((sale) => toOwnTerms(sale, ownDiscountId)),
    code: form.discountCode === null ? null : code ? toOwnTerms(code, ownDiscountId) : 'unknown',
    userRedemptions,
    buyer: { ...form, ...(await askTaxNumber(ctx, settings, form)) },
    seller: { countryCode: settings.sellerCountry },
    taxSettings: settings,
  };
  const taxRules = ctx.tax.decide(toTaxRequest(input));
  return { quote: computeQuote(input, taxRules), input, taxRules };
}

/** The first renewal: a discount of one charge is spent by then, unless a trial charged nothing. */
function computeRenewal(cart: Cart, quote: Quote, priceWithoutDiscount: () => Quote): bigint {
  const { discount } = quote;
  const lasts = discount?.duration === 'forever' || (discount?.durationIntervals ?? 1) > 1;
  if (discount === null || lasts || cart.trial !== null) return quote.totalMinor;
  return priceWithoutDiscount().totalMinor;
}

function toOwnTerms(row: Row<'discounts'>, ownDiscountId: string | null): DiscountTerms {
  const terms = toTerms(row);
  return row.id === ownDiscountId ? { ...terms, heldCount: terms.heldCount - 1 } : terms;
}

export function toQuoteLine({ offer, quantity }: CartLine): QuoteLine {
  return {
    key: offer.id,
    offerId: offer.id,
    unitPriceMinor: offer.price,
    quantity,
    // The column holds only the types that the product schema lets in.
    category: toTaxCategory(offer.productType as ProductType),
    taxBehavior: offer.taxBehavior,
  };
}

/** A subscription always takes a payment method, at 0 as well; else a payment of 0 needs no processor. */
export function needsProcessor(cart: Cart, quote: CartQuote): boolean {
  return cart.type === 'subscription_initial' || quote.dueNowMinor > 0n;
}
