/** Objects of the test store made anew in the live store, by the public API alone: new ids, the same words. */
import { type Call, call, newKey, type Store } from '../api/client.ts';
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';

/** What was made, and what somebody has to see to. */
export interface Copied {
  made: Array<{
    kind: 'product' | 'plan' | 'offer' | 'picture' | 'discount' | 'checkout' | 'customField';
    name: string;
  }>;
  /** Downloads are given out to buyers alone: their files are uploaded again. */
  withoutFile: string[];
  /** Where the copy is, below the live store's base. */
  path: string | null;
}

/** What a copy cannot do without is not in live: offers of a discount or a checkout. */
export class MissingOffers extends Error {
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super('offers are missing in live');
    this.names = names;
  }
}

export interface Stores {
  test: Store;
  live: Store;
}

const PRODUCT =
  'name type internalId description developer publisher pegiRating releaseDate systems genres status coverVideo trailer features withdrawal';
const PLAN = 'name internalId description features coverVideo';
const OFFER =
  'name internalId description price originalPrice currency recurringInterval recurringIntervalCount trialInterval trialIntervalCount limit maxPerOrder downloadLimit downloadDays freeProduct status region platform gtin warningMessage mutableQuantity taxBehavior tags';
const DISCOUNT =
  'type discountCode name amountType amount currency duration durationIntervals validFrom validUntil purchaseLimit limitPerUser includesAllOffers';
const CUSTOM_FIELD = 'key label type required options pattern validationUrl';

/** The fields that have a value: what is null is what a new object has anyway. */
function pick(row: Row, names: string): Row {
  const entries = names.split(' ').map((name) => [name, row[name]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined));
}

const make = <T = Row>(live: Store, path: string, body: Call['body']) =>
  call<T>({ store: live, method: 'POST', path, body, idempotencyKey: newKey() });

/** A picture of ours goes along with its bytes; one that lies elsewhere stays where it is. */
async function copyPicture(live: Store, url: string, copied: Copied): Promise<string | null> {
  if (url === '') return null;
  if (!url.startsWith(`${window.location.origin}/`)) return url;
  const bytes = await (await fetch(url)).blob();
  const name = `${url.split('/').at(-1)}`;
  const { file } = await make<{ file: Row }>(
    live,
    '/v0/files/upload',
    new File([bytes], name, { type: bytes.type }),
  );
  copied.made.push({ kind: 'picture', name });
  return textOf(file, 'url');
}

export async function copyProduct({ test, live }: Stores, row: Row): Promise<Copied> {
  const copied: Copied = { made: [], withoutFile: [], path: null };
  const data = await call<Row>({ store: test, path: `/v0/products/${textOf(row, 'id')}` });
  const product = rowOf(data, 'product') ?? data;
  const cover = await copyPicture(live, textOf(product, 'cover'), copied);
  const gallery: Row[] = [];
  for (const picture of rowsOf(product, 'gallery'))
    gallery.push({ value: await copyPicture(live, textOf(picture, 'value'), copied) });
  const body = { ...pick(product, PRODUCT), cover, gallery };
  const { product: made } = await make<{ product: Row }>(live, '/v0/products/create', body);
  const id = textOf(made, 'id');
  copied.made.push({ kind: 'product', name: textOf(made, 'name') });
  copied.path = `/catalogue/products/${id}`;
  const isPlans = textOf(product, 'type') === 'Subscription';
  const variants = new Map<string, string>();
  for (const variant of rowsOf(product, isPlans ? 'plans' : 'variants')) {
    const path = `/v0/products/${id}/${isPlans ? 'plans' : 'variants'}/add`;
    const variantCover = await copyPicture(live, textOf(variant, 'cover'), copied);
    const answer = await make<Row>(live, path, { ...pick(variant, PLAN), cover: variantCover });
    variants.set(textOf(variant, 'id'), textOf(rowOf(answer, isPlans ? 'plan' : 'variant') ?? answer, 'id'));
    copied.made.push({ kind: 'plan', name: textOf(variant, 'name') });
  }
  for (const offer of rowsOf(product, 'offers')) {
    const offerCover = await copyPicture(live, textOf(offer, 'cover'), copied);
    const variantId = variants.get(textOf(offer, 'variantId'));
    await make(live, '/v0/offers/create', {
      ...pick(offer, OFFER),
      ...(offerCover === null ? {} : { cover: offerCover }),
      ...(variantId === undefined ? {} : { variantId }),
      productId: id,
    });
    const name = textOf(offer, 'name') || textOf(product, 'name');
    copied.made.push({ kind: 'offer', name });
    if (rowOf(offer, 'download')) copied.withoutFile.push(name);
  }
  return copied;
}

export async function copyDiscount(stores: Stores, row: Row): Promise<Copied> {
  const offers = async (field: string) => {
    const ids = Array.isArray(row[field]) ? (row[field] as string[]) : [];
    return ids.length === 0 ? {} : { [field]: await findOffers(stores, ids) };
  };
  const body = {
    ...pick(row, DISCOUNT),
    ...(await offers('includedOffers')),
    ...(await offers('excludedOffers')),
  };
  await make(stores.live, '/v0/discounts/create', body);
  const name = textOf(row, 'discountCode') || textOf(row, 'name');
  return { made: [{ kind: 'discount', name }], withoutFile: [], path: null };
}

export async function copyCheckout(stores: Stores, row: Row): Promise<Copied> {
  const ids = rowsOf(row, 'offers').map((offer) => textOf(offer, 'id'));
  const body = { ...pick(row, 'name'), offersIds: await findOffers(stores, ids) };
  const { checkoutElement } = await make<{ checkoutElement: Row }>(
    stores.live,
    '/v0/elements/checkout/create',
    body,
  );
  return {
    made: [{ kind: 'checkout', name: textOf(row, 'name') }],
    withoutFile: [],
    path: `/catalogue/checkouts/${textOf(checkoutElement, 'id')}`,
  };
}

export async function copyCustomField({ live }: Stores, row: Row): Promise<Copied> {
  await make(live, '/v0/custom-fields/create', pick(row, CUSTOM_FIELD));
  return { made: [{ kind: 'customField', name: textOf(row, 'label') }], withoutFile: [], path: null };
}

/** An offer's twin in live bears its internal id, or else the names of it and its product. */
async function findOffers({ test, live }: Stores, ids: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const missing: string[] = [];
  for (const id of ids) {
    const { offer } = await call<{ offer: Row }>({ store: test, path: `/v0/offers/${id}` });
    const product = rowOf(offer, 'product');
    const twin = await findTwin(live, offer, textOf(product, 'name'));
    if (twin === null) missing.push(textOf(offer, 'name') || textOf(product, 'name'));
    else found.push(twin);
  }
  if (missing.length > 0) throw new MissingOffers(missing);
  return found;
}

async function findTwin(live: Store, offer: Row, productName: string): Promise<string | null> {
  const query = new URLSearchParams({ term: productName, take: '100' });
  const { products } = await call<{ products: Row[] }>({ store: live, path: '/v0/products/list', query });
  const internalId = textOf(offer, 'internalId');
  for (const product of products.filter((one) => textOf(one, 'name') === productName)) {
    const data = await call<Row>({ store: live, path: `/v0/products/${textOf(product, 'id')}` });
    const twin = rowsOf(rowOf(data, 'product') ?? data, 'offers').find((one) =>
      internalId === ''
        ? textOf(one, 'name') === textOf(offer, 'name') && one.price === offer.price
        : textOf(one, 'internalId') === internalId,
    );
    if (twin) return textOf(twin, 'id');
  }
  return null;
}
