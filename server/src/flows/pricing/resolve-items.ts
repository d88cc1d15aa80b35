/** Turns the lines of a request into items at their price: offers of the catalogue, or a name and a price. */
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type { PlanItem } from '../../domain/billing/line.ts';
import { canSell, toInterval, toTrial } from '../../domain/checkout/cart.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { checkedTotal, toMinor } from '../../domain/money/money.ts';
import { toSettings } from '../../domain/settings.ts';
import type { Interval } from '../../domain/subscriptions/period.ts';
import { isSameInterval } from '../../domain/subscriptions/plan-change.ts';
import { type CartOffer, listCartOffers } from '../../resources/checkouts/carts.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { toShortForms } from './order-rows.ts';

/** A line as it is asked for. */
export interface AskedLine {
  /** Its place in the request, such as `items.0`; empty = the request itself. */
  path: string;
  offerId: string | null;
  name: string | null;
  /** Minor units; null = the offer's. */
  unitPrice: number | null;
  currency: string | null;
  quantity: number;
}

export interface Resolving {
  db: Db;
  lines: readonly AskedLine[];
  /** Of the subscription; null = that of the offers. */
  currency: string | null;
  /** Items that run already: their price stays what they were sold at, for sale or not. */
  kept: readonly PlanItem[];
}

export interface ResolvedItems {
  items: PlanItem[];
  offers: CartOffer[];
  currency: string;
}

/** Throws what a line cannot be: an unknown offer, one that is not for sale, another currency. */
export async function resolveItems(
  _ctx: Context,
  scope: Scope,
  { db, lines, currency: given, kept }: Resolving,
): Promise<ResolvedItems> {
  const offers = await listCartOffers(db, scope, [...new Set(lines.flatMap(({ offerId }) => offerId ?? []))]);
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  const { pricesIncludeTax } = toSettings((await getStore(db, scope)).settings);
  const currency = given ?? offers[0]?.currency ?? lines[0]?.currency ?? '';
  const items = lines.map((line) => {
    checkCurrency(line, currency);
    if (line.offerId === null) return toNamedItem(line, pricesIncludeTax);
    const offer = byId.get(line.offerId);
    if (!offer)
      throw new Refusal('unknown_reference', { message: `${at(line.path, 'offerId')} does not exist.` });
    const running = kept.find(({ offerId }) => offerId === line.offerId) ?? null;
    if (!running && !canSell(offer)) throw new Refusal('offer_not_for_sale');
    if (offer.currency !== currency) {
      throw new Refusal('offer_currency_mismatch', {
        message: `${at(line.path, 'offerId')} is sold in ${offer.currency}, and not in ${currency}.`,
      });
    }
    return toOfferItem(line, { offer, running, pricesIncludeTax });
  });
  checkedTotal(items.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * BigInt(quantity), 0n));
  return { items, offers, currency };
}

function checkCurrency({ path, currency: given }: AskedLine, currency: string): void {
  if (given !== null && given !== currency) throw invalidField(at(path, 'currency'), `must be ${currency}`);
}

/** The field of a line, as it was sent. */
export function at(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

/** The one interval of lines that recur, with the trial of the first that has one. */
export function toPlanTerms(
  lines: readonly AskedLine[],
  offers: readonly CartOffer[],
): { interval: Interval; trial: Interval | null } {
  let interval: Interval | null = null;
  for (const { path, offerId } of lines) {
    const offer = offers.find(({ id }) => id === offerId);
    if (!offer) continue;
    const own = toInterval(offer);
    if (own === null) throw invalidField(at(path, 'offerId'), 'must be an offer of a Subscription product');
    if (interval && !isSameInterval(interval, own)) {
      throw invalidField(at(path, 'offerId'), 'must have the interval of the other items');
    }
    interval = own;
  }
  if (interval === null) throw invalidField('items', 'must hold at least one line with an offerId');
  const trials = offers.flatMap((offer) => toTrial(offer) ?? []);
  return { interval, trial: trials[0] ?? null };
}

function toNamedItem(line: AskedLine, inclusive: boolean): PlanItem {
  if (line.name === null) throw invalidField(at(line.path, 'offerId'), 'or name is required');
  if (line.unitPrice === null) throw invalidField(at(line.path, 'unitPrice'), 'is required with a name');
  if (line.currency === null) throw invalidField(at(line.path, 'currency'), 'is required with a name');
  return {
    id: null,
    offerId: null,
    productId: null,
    variantId: null,
    name: line.name,
    internalId: null,
    unitPrice: toMinor(line.unitPrice),
    quantity: line.quantity,
    inclusive,
    product: null,
    variant: null,
    offer: null,
    customFields: {},
    taxReason: 'outside_scope',
    taxRates: [],
  };
}

function toOfferItem(
  { name, unitPrice, quantity }: AskedLine,
  {
    offer,
    running,
    pricesIncludeTax,
  }: { offer: CartOffer; running: PlanItem | null; pricesIncludeTax: boolean },
): PlanItem {
  const price = unitPrice === null ? (running?.unitPrice ?? offer.price) : toMinor(unitPrice);
  if (running) return { ...running, quantity, unitPrice: price, name: name ?? running.name };
  const { product, variant, offer: short } = toShortForms(offer);
  return {
    id: null,
    offerId: offer.id,
    productId: offer.productId,
    variantId: offer.variantId,
    name: name ?? offer.name ?? offer.productName,
    internalId: offer.internalId,
    unitPrice: price,
    quantity,
    inclusive: offer.taxBehavior === null ? pricesIncludeTax : offer.taxBehavior === 'inclusive',
    // The rows' copies are JSON; the domain looks into them.
    product: JSON.parse(product),
    variant: variant === null ? null : JSON.parse(variant),
    offer: JSON.parse(short),
    customFields: {},
    taxReason: 'outside_scope',
    taxRates: [],
  };
}
