/** Creating and changing offers: the rules that a schema cannot say. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import {
  type ErrorCode,
  invalidField,
  otherCurrency,
  Refusal,
  unknownReference,
} from '../../domain/errors.ts';
import { toInternalId } from '../../domain/internal-id.ts';
import { requireMediaAddresses } from '../../domain/media-addresses.ts';
import { requireWords } from '../../domain/require-words.ts';
import { chooseSpelling } from '../../domain/spellings.ts';
import { listSales } from '../../resources/discounts/discounts.queries.ts';
import { toTerms } from '../../resources/discounts/discounts.schema.ts';
import {
  findFilePurpose,
  findVariantOfProduct,
  getOffer,
  insertOffer,
  lockOffer,
  type OfferRow,
  updateOffer,
} from '../../resources/offers/offers.queries.ts';
import type { CreateOffer, OfferView, UpdateOffer } from '../../resources/offers/offers.schema.ts';
import { findProduct } from '../../resources/products/products.queries.ts';
import { claimCurrency, getStore } from '../../resources/workspaces/workspaces.queries.ts';

export type CreateOfferInput = Static<typeof CreateOffer>;
type UpdateInput = Static<typeof UpdateOffer>;
type PricingTerms = Pick<
  CreateOfferInput,
  | 'price'
  | 'freeProduct'
  | 'recurringInterval'
  | 'recurringIntervalCount'
  | 'trialInterval'
  | 'trialIntervalCount'
>;

/** What an answer about offers needs beside their rows: one query for all of them. */
export async function loadOfferView(db: Db, scope: Scope, nowMs: number): Promise<OfferView> {
  return { sales: (await listSales(db, scope)).map(toTerms), nowMs };
}

/**
 * The store's first offer sets its currency. Throws unknown_reference, archived (the product or variant),
 * offer_currency_mismatch and the refusals of prices and intervals.
 */
export async function createOffer(
  ctx: Step,
  scope: Scope,
  { tx, input: given }: { tx: Tx; input: CreateOfferInput },
): Promise<OfferRow> {
  requireWords({ name: given.name });
  requireMediaAddresses(given);
  const input = toNewTerms(given);
  const product = await findProduct(tx, scope, input.productId);
  if (!product) throw unknownReference('productId', input.productId);
  if (product.archivedAt !== null) throw new Refusal('archived', { message: 'The product is archived.' });
  checkPricing(input, product.type === 'Subscription');
  await checkReferences(tx, scope, { productId: product.id, input });
  const currency = await claimOfferCurrency(tx, scope, input.currency);
  const id = ctx.ids.next(ctx.nowMs);
  await insertOffer(tx, scope, {
    ...toColumns(input),
    id,
    productId: product.id,
    price: BigInt(input.price),
    currency,
    status: input.status ?? 'ACTIVE',
    createdAt: ctx.nowMs,
    updatedAt: ctx.nowMs,
  });
  return getOffer(tx, scope, id);
}

/** Missing fields stay as they are; what was sold, and running subscriptions, keep the price they were sold at. */
export async function changeOffer(
  ctx: Step,
  scope: Scope,
  { tx, id, input: given }: { tx: Tx; id: string; input: UpdateInput },
): Promise<{ before: OfferRow; after: OfferRow }> {
  requireWords({ name: given.name });
  const { productId, ...input } = toOneSpelling(given);
  const before = await lockOffer(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  requireMediaAddresses(input, before);
  if (productId !== undefined && productId !== before.productId)
    throw invalidField('productId', 'never changes');
  checkPricing({ ...before, price: Number(before.price), ...input }, before.productType === 'Subscription');
  if (input.currency !== undefined && input.currency !== before.currency)
    throw otherCurrency(before.currency);
  const variantId = input.variantId === before.variantId ? undefined : input.variantId;
  await checkReferences(tx, scope, { productId: before.productId, input: { ...input, variantId } });
  await updateOffer(tx, scope, { ...toColumns(input), id, updatedAt: ctx.nowMs });
  return { before, after: await getOffer(tx, scope, id) };
}

export async function archiveOffer(
  ctx: Step,
  scope: Scope,
  { tx, id, archive }: { tx: Tx; id: string; archive: boolean },
): Promise<{ before: OfferRow; after: OfferRow }> {
  const before = await lockOffer(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const archivedAt = archive ? (before.archivedAt ?? ctx.nowMs) : null;
  await updateOffer(tx, scope, { id, archivedAt, archivedWithProduct: false, updatedAt: ctx.nowMs });
  return { before, after: await getOffer(tx, scope, id) };
}

/** `recurring` is the two fields in one. Throws invalid_input where it says something else than they do. */
function toOneSpelling<
  T extends Pick<UpdateInput, 'recurring' | 'recurringInterval' | 'recurringIntervalCount'>,
>({ recurring, ...input }: T) {
  if (recurring === undefined) return input;
  const { interval, intervalCount = 1 } = recurring ?? { interval: null, intervalCount: null };
  const { recurringInterval, recurringIntervalCount } = input;
  return {
    ...input,
    recurringInterval: chooseSpelling(
      ['recurringInterval', recurringInterval],
      ['recurring.interval', interval],
    ),
    recurringIntervalCount: chooseSpelling(
      ['recurringIntervalCount', recurringIntervalCount],
      ['recurring.intervalCount', intervalCount],
    ),
  };
}

/** An interval without a count is one of them. */
function toNewTerms(given: CreateOfferInput) {
  const input = toOneSpelling(given);
  const isBare = input.recurringInterval != null && input.recurringIntervalCount === undefined;
  return isBare ? { ...input, recurringIntervalCount: 1 } : input;
}

/** The columns that a body names; undefined for those that it does not. */
function toColumns(input: UpdateInput) {
  const { id, price, originalPrice, limit, internalId, externalId, currency, ...same } = input;
  return {
    ...same,
    internalId: toInternalId(input),
    price: price === undefined ? undefined : BigInt(price),
    originalPrice: originalPrice == null ? originalPrice : BigInt(originalPrice),
    salesLimit: limit,
  };
}

const INTERVAL_FIELDS = ['recurringInterval', 'recurringIntervalCount'] as const;
const TRIAL_FIELDS = ['trialInterval', 'trialIntervalCount'] as const;

/** Says of which field it is, so that a form can mark it. */
const refuseAt = (code: ErrorCode, path: keyof PricingTerms, message: string) =>
  new Refusal(code, { details: [{ path, message }] });

function checkPricing(terms: PricingTerms, isSubscription: boolean): void {
  const isFree = terms.freeProduct ?? false;
  if (isFree && isSubscription)
    throw refuseAt('free_subscription', 'freeProduct', 'is not possible on a Subscription product');
  if (isFree && terms.price !== 0)
    throw refuseAt('free_product_price', 'price', 'must be 0 for a free product');
  if (!isFree && terms.price === 0) {
    throw isSubscription
      ? refuseAt('free_product_price', 'price', 'must be above 0')
      : refuseAt('free_product_price', 'freeProduct', 'is required for a price of 0');
  }
  const needless = [...INTERVAL_FIELDS, ...TRIAL_FIELDS].find((field) => terms[field] != null);
  if (!isSubscription && needless) {
    throw refuseAt('recurring_interval_forbidden', needless, 'is of offers of a Subscription product alone');
  }
  // The first that is missing: the dashboard asks for the second once the first is there.
  const missing = INTERVAL_FIELDS.find((field) => terms[field] == null);
  if (isSubscription && missing) throw refuseAt('recurring_interval_required', missing, 'is required');
  if ((terms.trialInterval == null) !== (terms.trialIntervalCount == null)) {
    throw invalidField('trialInterval', 'and trialIntervalCount are given together or not at all');
  }
}

/** What the offer points to exists in this store; of its variant it is asked that it belongs to the product. */
async function checkReferences(
  tx: Tx,
  scope: Scope,
  { productId, input }: { productId: string; input: Pick<UpdateInput, 'variantId' | 'downloadFileId'> },
): Promise<void> {
  const { variantId, downloadFileId } = input;
  if (variantId != null) {
    const variant = await findVariantOfProduct(tx, scope, { productId, variantId });
    if (!variant) throw unknownReference('variantId', variantId);
    if (variant.archivedAt !== null) throw new Refusal('archived', { message: 'The variant is archived.' });
  }
  if (downloadFileId != null) {
    const purpose = await findFilePurpose(tx, scope, downloadFileId);
    if (!purpose) throw unknownReference('downloadFileId', downloadFileId);
    // A picture is shown to anybody who knows its id: it is given away, not sold.
    if (purpose !== 'download') {
      throw new Refusal('file_purpose', {
        message: 'downloadFileId names a picture: upload the file again with x-file-purpose: download',
        details: [{ path: 'downloadFileId', message: 'names a picture' }],
      });
    }
  }
}

/** Two first offers at once agree on one currency: the second waits for the store's row. */
async function claimOfferCurrency(tx: Tx, scope: Scope, wanted: string | undefined): Promise<string> {
  const store = await getStore(tx, scope);
  const currency = wanted ?? store.currency;
  if (currency === null) throw invalidField('currency', 'is required for the first offer');
  const held = store.currency ?? (await claimCurrency(tx, scope, currency));
  if (held !== currency) throw otherCurrency(held);
  return currency;
}
