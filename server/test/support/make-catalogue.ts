/** Small makers of catalogue objects, through the API that a merchant uses. */
import type { TestStore } from './harness.ts';

/** A product of the type given; answers its id. */
export async function makeProduct(store: TestStore, fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await store.post('/v0/products/create', {
    type: 'SoftwareKey',
    name: 'Rocket',
    ...fields,
  });
  return String(body.data.product.id);
}

/** An offer of 19.99 EUR, of a product of its own unless `productId` is given; answers its id. */
export async function makeOffer(store: TestStore, fields: Record<string, unknown> = {}): Promise<string> {
  const productId = fields.productId ?? (await makeProduct(store));
  const { body } = await store.post('/v0/offers/create', {
    price: 1999,
    currency: 'EUR',
    ...fields,
    productId,
  });
  return String(body.data.offer.id);
}

/** A monthly offer of a Subscription product of its own; answers its id. */
export async function makePlanOffer(store: TestStore, fields: Record<string, unknown> = {}): Promise<string> {
  const productId = await makeProduct(store, { type: 'Subscription', name: 'Club' });
  return makeOffer(store, { productId, recurringInterval: 'month', recurringIntervalCount: 1, ...fields });
}
