/** Creating and changing checkout elements: which offers go into one cart. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isFrameSource, isWithinSources, toFrameSource } from '../../domain/frame-sources.ts';
import { requireWords } from '../../domain/require-words.ts';
import { toSettings } from '../../domain/settings.ts';
import {
  type CheckoutElementRow,
  findCheckoutElement,
  insertCheckoutElement,
  lockCheckoutElement,
  updateCart,
  updateCheckoutElement,
} from '../../resources/checkout-elements/checkout-elements.queries.ts';
import type { UpdateCheckoutElement } from '../../resources/checkout-elements/checkout-elements.schema.ts';
import { listOffersByIds } from '../../resources/offers/offers.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

/** A body of create has the same fields; only the offers are required there. */
type Input = Static<typeof UpdateCheckoutElement>;
interface Change {
  before: CheckoutElementRow;
  after: CheckoutElementRow;
}

/** Throws custom_fields_not_allowed, unknown_reference, offer_not_for_sale (archived) and mixed_offers. */
export async function createCheckoutElement(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Input },
): Promise<CheckoutElementRow> {
  requireWords({ name: input.name });
  const offerIds = chooseOffers(input);
  if (!offerIds) throw invalidField('offersIds', 'is required');
  const subscriptionOffer = await checkCart(tx, scope, offerIds);
  const id = ctx.ids.next(ctx.nowMs);
  const name = input.name ?? null;
  const allowedOrigins = (await takeOrigins(tx, scope, input)) ?? [];
  await insertCheckoutElement(tx, scope, {
    id,
    name,
    subscriptionOffer,
    allowedOrigins,
    createdAt: ctx.nowMs,
  });
  await updateCart(tx, scope, { elementId: id, offerIds });
  return getCheckoutElement(tx, scope, id);
}

/** Open checkouts of the element go on with the new cart; orders keep what they were made of. */
export async function changeCheckoutElement(
  scope: Scope,
  { tx, id, input }: { tx: Tx; id: string; input: Input },
): Promise<Change> {
  requireWords({ name: input.name });
  const offerIds = chooseOffers(input);
  const before = await lockCheckoutElement(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const subscriptionOffer = offerIds && (await checkCart(tx, scope, offerIds));
  const allowedOrigins = await takeOrigins(tx, scope, input);
  await updateCheckoutElement(tx, scope, { id, name: input.name, subscriptionOffer, allowedOrigins });
  if (offerIds) await updateCart(tx, scope, { elementId: id, offerIds });
  return { before, after: await getCheckoutElement(tx, scope, id) };
}

/** The sites in the form in which they are compared; undefined where none are sent. Throws invalid_input. */
async function takeOrigins(tx: Tx, scope: Scope, input: Input): Promise<string[] | undefined> {
  if (!input.allowedOrigins) return undefined;
  const { settings } = await getStore(tx, scope);
  const { authorizedDomains } = toSettings(settings);
  const sources = [...new Set(input.allowedOrigins.map(toFrameSource))];
  for (const [index, source] of sources.entries()) {
    const path = `allowedOrigins.${index}`;
    if (!isFrameSource(source)) {
      throw invalidField(path, 'must be a host or an http(s) origin, such as https://shop.example');
    }
    if (!isWithinSources(source, authorizedDomains, scope)) {
      throw invalidField(path, 'must be covered by the setting authorizedDomains');
    }
  }
  return sources;
}

/** Its link sells no more, or again. */
export async function archiveCheckoutElement(
  ctx: Step,
  scope: Scope,
  { tx, id, archive }: { tx: Tx; id: string; archive: boolean },
): Promise<Change> {
  const before = await lockCheckoutElement(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const archivedAt = archive ? (before.archivedAt ?? ctx.nowMs) : null;
  await updateCheckoutElement(tx, scope, { id, archivedAt });
  return { before, after: await getCheckoutElement(tx, scope, id) };
}

/** `offers` is another name of `offersIds`. */
function chooseOffers(input: Input): string[] | undefined {
  if ('customFields' in input) throw new Refusal('custom_fields_not_allowed');
  if (input.offersIds && input.offers) {
    throw invalidField('offers', 'must be left out where offersIds is given');
  }
  return input.offersIds ?? input.offers;
}

/**
 * Refuses a cart that could not be bought as one; returns whether it is a subscription. A DRAFT offer may
 * go in: an element can be prepared before its offers are sold, and the checkout says so until then.
 */
async function checkCart(tx: Tx, scope: Scope, offerIds: string[]): Promise<boolean> {
  const offers = await listOffersByIds(tx, scope, offerIds);
  const byId = new Map(offers.map((offer) => [offer.id, offer]));
  for (const id of offerIds) {
    const offer = byId.get(id);
    if (!offer) {
      throw new Refusal('unknown_reference', {
        message: `offersIds names an offer that does not exist: ${id}`,
        details: [{ path: 'offersIds', message: `no offer ${id}` }],
      });
    }
    if (offer.archivedAt !== null) {
      throw new Refusal('offer_not_for_sale', { message: `offersIds names an archived offer: ${id}` });
    }
  }
  const isSubscription = offers.some((offer) => offer.recurringInterval !== null);
  if (isSubscription && offerIds.length > 1) throw new Refusal('mixed_offers');
  return isSubscription;
}

async function getCheckoutElement(tx: Tx, scope: Scope, id: string): Promise<CheckoutElementRow> {
  const row = await findCheckoutElement(tx, scope, id);
  assert(row, 'an element is read back in the transaction that wrote it');
  return row;
}
