/** Making a product with its variants and offers, all of it or nothing. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toInternalId } from '../../domain/internal-id.ts';
import { requireMediaAddresses } from '../../domain/media-addresses.ts';
import { requireWords } from '../../domain/require-words.ts';
import { toSlug } from '../../domain/slug.ts';
import { findCoverHash } from '../../resources/files/files.queries.ts';
import type { OfferRow } from '../../resources/offers/offers.queries.ts';
import { insertProduct, insertProductUnderFreeSlug } from '../../resources/products/products.queries.ts';
import type { CreateProduct } from '../../resources/products/whole-product.schema.ts';
import { insertVariants } from '../../resources/variants/variants.queries.ts';
import { createOffer } from './edit-offer.ts';

type Input = Static<typeof CreateProduct>;
type InlineVariant = NonNullable<Input['variants']>[number];
interface Made {
  tx: Tx;
  product: Row<'products'>;
  variants: Array<Row<'variants'>>;
}

export interface CreatedProduct {
  product: Row<'products'>;
  variants: Array<Row<'variants'>>;
  offers: OfferRow[];
}

/**
 * Refuses plans outside a Subscription (plans_need_subscription), a taken slug (slug_taken) and whatever an
 * inline offer would be refused for alone, with its place in front of the path.
 */
export async function createProduct(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Input },
): Promise<CreatedProduct> {
  requireWords({ name: input.name });
  const inline = chooseVariants(input);
  requireNames(input);
  requireMedia(input);
  checkVariantPlaces(input.offers ?? [], inline.length);

  const product = await insertGivenProduct(ctx, scope, { tx, input });
  const variants = await insertVariants(
    tx,
    scope,
    inline.map((variant, place) => toNewVariant(ctx, { variant, place, productId: product.id })),
  );
  const offers = await createInlineOffers(ctx, scope, { tx, product, variants, input });
  return { product, variants, offers };
}

function requireNames({ variants = [], plans = [] }: Input): void {
  for (const [place, { name }] of variants.entries()) requireWords({ [`variants.${place}.name`]: name });
  for (const [place, { name }] of plans.entries()) requireWords({ [`plans.${place}.name`]: name });
}

function requireMedia(input: Input): void {
  requireMediaAddresses(input);
  for (const [place, given] of (input.variants ?? []).entries())
    requireMediaAddresses(given, {}, `variants.${place}.`);
  for (const [place, given] of (input.plans ?? []).entries())
    requireMediaAddresses(given, {}, `plans.${place}.`);
}

/** A Subscription's variants may be called by either name; another product has no plans. */
function chooseVariants({ type, variants = [], plans = [] }: Input): InlineVariant[] {
  if (plans.length === 0) return variants;
  if (type !== 'Subscription') throw new Refusal('plans_need_subscription');
  if (variants.length > 0) throw invalidField('variants', 'must be left out where plans are given');
  return plans;
}

function checkVariantPlaces(offers: NonNullable<Input['offers']>, variantCount: number): void {
  for (const [place, { variantIdx }] of offers.entries()) {
    if (variantIdx != null && variantIdx >= variantCount) {
      throw invalidField(`offers.${place}.variantIdx`, 'must be the place of a variant of this request');
    }
  }
}

async function insertGivenProduct(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Input },
): Promise<Row<'products'>> {
  const { slug, variants: _variants, plans: _plans, offers: _offers, externalId: _id, ...fields } = input;
  const product = {
    ...fields,
    id: ctx.ids.next(ctx.nowMs),
    internalId: toInternalId(input),
    coverBlurHash: await findCoverHash(tx, scope, input),
    status: input.status ?? ('ACTIVE' as const),
    withdrawal: input.withdrawal ?? toWithdrawal(input.type),
    createdAt: ctx.nowMs,
    updatedAt: ctx.nowMs,
  };
  if (slug === undefined) {
    return insertProductUnderFreeSlug(tx, scope, { ...product, slug: toSlug(input.name, 'product') });
  }
  const row = await insertProduct(tx, scope, { ...product, slug });
  if (!row) throw new Refusal('slug_taken', { details: [{ path: 'slug', message: 'is taken' }] });
  return row;
}

/** A service is withdrawn from while it runs, content before its delivery begins. */
function toWithdrawal(type: Input['type']): 'service' | 'content' {
  return type === 'Subscription' || type === 'OneTimePayment' ? 'service' : 'content';
}

function toNewVariant(
  ctx: Step,
  { variant, place, productId }: { variant: InlineVariant; place: number; productId: string },
) {
  const { order, externalId: _externalId, description, ...fields } = variant;
  return {
    ...fields,
    id: ctx.ids.next(ctx.nowMs),
    productId,
    internalId: toInternalId(variant),
    description: description === undefined ? '' : description,
    position: order ?? place,
    createdAt: ctx.nowMs,
  };
}

async function createInlineOffers(
  ctx: Step,
  scope: Scope,
  { tx, product, variants, input }: Made & { input: Input },
): Promise<OfferRow[]> {
  const offers: OfferRow[] = [];
  for (const [place, { variantIdx, ...offer }] of (input.offers ?? []).entries()) {
    const variantId = variantIdx == null ? undefined : variants[variantIdx]?.id;
    const whole = { ...offer, productId: product.id, variantId };
    try {
      offers.push(await createOffer(ctx, scope, { tx, input: whole }));
    } catch (error) {
      throw error instanceof Refusal ? toPlaced(error, `offers.${place}`) : error;
    }
  }
  return offers;
}

/** The same refusal, saying which of several objects it is about. */
function toPlaced(refusal: Refusal, place: string): Refusal {
  const details = refusal.details?.map(({ path, message }) => ({ path: `${place}.${path}`, message }));
  // A message that begins with a path goes on from the place; a sentence stands behind it.
  const isOfPath = refusal.details?.some(({ path }) => refusal.message.startsWith(path));
  const message = `${place}${isOfPath ? '.' : ': '}${refusal.message}`;
  return new Refusal(refusal.code, {
    message,
    details,
    internal: refusal.internal,
    cause: refusal.cause,
  });
}
