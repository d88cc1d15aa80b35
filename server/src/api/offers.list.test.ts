import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makeProduct } from '../../test/support/make-catalogue.ts';

const NOBODY = '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900';

let app: TestApp;
let store: TestStore;

beforeAll(async () => {
  app = await createTestApp();
  store = app.test;
});
afterAll(() => app.close());

describe('GET /v0/offers/list', () => {
  const idsOf = async (query: Record<string, string | string[]>) => {
    const { body } = await store.get('/v0/offers/list', { query });
    expect(body.data.count).toBe(body.data.offers.length);
    return body.data.offers.map(({ id }: { id: string }) => id);
  };

  it('200: filters by product, product type, status, term and id', async () => {
    const game = await makeProduct(store, { type: 'Game', name: 'Sea of 100% Quiet' });
    const draft = await makeOffer(store, { productId: game, status: 'DRAFT', name: 'Early bird' });
    const active = await makeOffer(store, { productId: game, internalId: 'quiet-1' });
    expect(await idsOf({ product: game })).toEqual([active, draft]);
    expect(await idsOf({ 'product.types': 'Game,GiftCard' })).toEqual([active, draft]);
    expect(await idsOf({ product: game, statuses: 'DRAFT' })).toEqual([draft]);
    expect(await idsOf({ term: 'early' })).toEqual([draft]);
    expect(await idsOf({ term: '100%' })).toEqual([active, draft]);
    expect(await idsOf({ termOrId: draft.toUpperCase() })).toEqual([draft]);
    expect(await idsOf({ term: 'QUIET-1' })).toEqual([active]);
    expect(await idsOf({ ids: [draft, NOBODY] })).toEqual([draft]);
  });

  it('200: leaves archived offers out unless asked for', async () => {
    const product = await makeProduct(store);
    const gone = await makeOffer(store, { productId: product });
    const kept = await makeOffer(store, { productId: product });
    await store.patch(`/v0/offers/${gone}/archive`);
    expect(await idsOf({ product })).toEqual([kept]);
    expect(await idsOf({ product, withArchived: 'true' })).toEqual([kept, gone]);
    expect(await idsOf({ product, archived: '1' })).toEqual([gone]);
    expect(await idsOf({ product, statuses: 'archived' })).toEqual([gone]);
  });

  it('200: shows each offer once over all pages, newest first, with the exact count', async () => {
    const product = await makeProduct(store);
    const made: string[] = [];
    for (let i = 0; i < 5; i += 1) made.unshift(await makeOffer(store, { productId: product }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = { product, take: '2', ...(cursor ? { cursor } : {}) };
      const { body } = await store.get('/v0/offers/list', { query });
      expect(body.data.count).toBe(5);
      seen.push(...body.data.offers.map(({ id }: { id: string }) => id));
      cursor = body.data.cursor;
      expect(body.data.hasMore).toBe(cursor !== null);
    } while (cursor);
    expect(seen).toEqual(made);
  });

  it('400: refuses an unknown status, type or cursor', async () => {
    const queries: Array<Record<string, string>> = [
      { statuses: 'SOLD' },
      { 'product.types': 'Car' },
      { cursor: 'x' },
    ];
    for (const query of queries) {
      await expectRefusal(store.get('/v0/offers/list', { query }), 400, 'invalid_input');
    }
  });

  it('401: needs a key', async () => {
    await expectRefusal(store.get('/v0/offers/list', { keys: 'none' }), 401, 'unauthorized');
  });
});
