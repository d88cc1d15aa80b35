/** Products, variants, offers and discounts of an import: made and changed by the verbs of the catalogue itself. */
import type { Step } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type {
  DiscountLine,
  LineKind,
  OfferLine,
  ProductLine,
  VariantLine,
} from '../../domain/imports/lines.ts';
import { createProduct } from '../catalogue/create-product.ts';
import { changeDiscount, createDiscount } from '../catalogue/edit-discount.ts';
import { changeOffer, createOffer } from '../catalogue/edit-offer.ts';
import { changeProduct } from '../catalogue/edit-product.ts';
import { addVariant, changeVariant } from '../catalogue/edit-variant.ts';
import type { BringingIn, BroughtIn } from './bringing.ts';

const toBrought = ({ id, version }: { id: string; version: number }): BroughtIn => ({
  objectId: id,
  objectVersion: version,
});

/** Our object behind a line that this one names: lines stand behind what they name. */
export function getOurs({ batch }: Pick<BringingIn, 'batch'>, kind: LineKind, ref: string): string {
  const { brought } = batch.known.find(kind, ref);
  assert(brought, 'what a line names was brought in before it, or the line is refused');
  return brought.objectId;
}

export async function bringInProduct(
  ctx: Step,
  scope: Scope,
  { tx, line, looked }: BringingIn<ProductLine>,
): Promise<BroughtIn> {
  const { name, description = null } = line;
  const { ours } = looked.decision;
  if (ours) {
    const { after } = await changeProduct(ctx, scope, { tx, id: ours.id, input: { name, description } });
    return toBrought(after);
  }
  // Held to the list of types by the schema.
  const type = line.type as Parameters<typeof createProduct>[2]['input']['type'];
  const { product } = await createProduct(ctx, scope, { tx, input: { type, name, description } });
  return toBrought(product);
}

export async function bringInVariant(
  ctx: Step,
  scope: Scope,
  bringing: BringingIn<VariantLine>,
): Promise<BroughtIn> {
  const { tx, line, looked, batch } = bringing;
  const productId = getOurs(bringing, 'product', line.productRef);
  const input = { name: line.name, description: line.description ?? null };
  const { ours } = looked.decision;
  if (ours) {
    const { after } = await changeVariant(scope, { tx, productId, variantId: ours.id, input });
    return toBrought(after);
  }
  const product = batch.known.find('product', line.productRef).inFile?.body;
  const isPlan = product?.kind === 'product' && product.type === 'Subscription';
  return toBrought(await addVariant(ctx, scope, { tx, productId, kind: isPlan ? 'plan' : 'variant', input }));
}

export async function bringInOffer(
  ctx: Step,
  scope: Scope,
  bringing: BringingIn<OfferLine>,
): Promise<BroughtIn> {
  const { tx, line, looked } = bringing;
  const { name = null, price, taxBehavior = null, active = true, interval } = line;
  const sold = {
    ...{ name, price, taxBehavior, freeProduct: price === 0 },
    status: active ? ('ACTIVE' as const) : ('DRAFT' as const),
    ...(interval ? { recurringInterval: interval.unit, recurringIntervalCount: interval.count } : {}),
  };
  const { ours } = looked.decision;
  if (ours) {
    const { after } = await changeOffer(ctx, scope, { tx, id: ours.id, input: sold });
    return toBrought(after);
  }
  const productId = getOurs(bringing, 'product', line.productRef);
  const variantId = line.variantRef == null ? null : getOurs(bringing, 'variant', line.variantRef);
  // Held to the list of currencies by the schema.
  const currency = line.currency as NonNullable<Parameters<typeof createOffer>[2]['input']['currency']>;
  const input = { ...sold, productId, currency, ...(variantId === null ? {} : { variantId }) };
  return toBrought(await createOffer(ctx, scope, { tx, input }));
}

export async function bringInDiscount(
  ctx: Step,
  scope: Scope,
  { tx, line, looked }: BringingIn<DiscountLine>,
): Promise<BroughtIn> {
  const { name, code, amountType, amount, currency, duration, durationIntervals, validUntil } = line;
  const input = {
    ...{ type: 'code' as const, amountType, amount, duration },
    name: name ?? null,
    ...(code == null ? {} : { discountCode: code }),
    status: line.active === false || code == null ? ('inactive' as const) : ('active' as const),
    ...(amountType === 'fixed' && currency != null
      ? { currency: currency as NonNullable<Parameters<typeof createDiscount>[2]['input']['currency']> }
      : {}),
    ...(duration === 'repeating' ? { durationIntervals: durationIntervals ?? null } : {}),
    ...(validUntil == null ? {} : { validUntil }),
  };
  const { ours } = looked.decision;
  // One that was given to subscriptions alone has no code there; nobody can guess the one that it gets here.
  const discountCode = code ?? makeCode(ctx, line.ref);
  if (!ours) return toBrought(await createDiscount(ctx, scope, { tx, input: { ...input, discountCode } }));
  const { after } = await changeDiscount(ctx, scope, { tx, id: ours.id, input });
  return toBrought(after);
}

const CODE_BYTES = 5;

/** Bears its ref, by which people know it; two refs may differ in nothing that a code can hold. */
function makeCode({ ids }: Step, ref: string): string {
  const made = Array.from(ids.randomBytes(CODE_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return ['IMPORT', ref.replaceAll(/[^0-9A-Za-z]/g, '').slice(-40), made.toUpperCase()]
    .filter(Boolean)
    .join('-');
}
