import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => app.close());

const unknownId = '0192f0c0-0000-7000-8000-000000000000';

async function create(changes: Record<string, unknown> = {}) {
  const { body } = await app.test.post('/v0/products/create', { type: 'Game', name: 'Chess', ...changes });
  return body.data;
}

describe('GET /v0/products/list', () => {
  describe('200', () => {
    async function namesOf(query: Record<string, string | string[]>) {
      const { body } = await app.other.get('/v0/products/list', { query });
      return body.data.products.map(({ name }: { name: string }) => name);
    }
    async function createOther(changes: Record<string, unknown>) {
      const { body } = await app.other.post('/v0/products/create', { type: 'Game', ...changes });
      return body.data.product;
    }

    it('pages, filters, sorts and counts one store', async () => {
      const projectId = '0192f0c0-0000-7000-8000-0000000000aa';
      const one = await createOther({ name: 'One 100%', projectId });
      await createOther({ name: 'Two', type: 'GiftCard', status: 'DRAFT' });
      const three = await createOther({ name: 'Three', externalId: 'SKU-3' });
      const gone = await createOther({ name: 'Gone' });
      await app.other.patch(`/v0/products/${gone.id}/archive`);

      const first = await app.other.get('/v0/products/list', { query: { take: '2' } });
      expect(first.body.data).toMatchObject({ count: 3, hasMore: true });
      expect(first.body.data.products.map(({ name }: { name: string }) => name)).toEqual(['Three', 'Two']);
      expect(await namesOf({ take: '2', cursor: first.body.data.cursor })).toEqual(['One 100%']);
      expect(await namesOf({ skip: '1', take: '1' })).toEqual(['Two']);
      expect(await namesOf({ orderDirection: 'ASC' })).toEqual(['One 100%', 'Two', 'Three']);
      expect(await namesOf({ statuses: 'DRAFT' })).toEqual(['Two']);
      expect(await namesOf({ statuses: 'archived' })).toEqual(['Gone']);
      expect(await namesOf({ archived: 'true' })).toEqual(['Gone']);
      expect(await namesOf({ withArchived: '1', types: 'Game,GiftCard' })).toHaveLength(4);
      expect(await namesOf({ types: ['GiftCard'] })).toEqual(['Two']);
      expect(await namesOf({ projectId })).toEqual(['One 100%']);
      expect(await namesOf({ term: '0%' })).toEqual(['One 100%']);
      expect(await namesOf({ term: 'sku-3' })).toEqual(['Three']);
      expect(await namesOf({ termOrId: three.id })).toEqual(['Three']);
      expect(await namesOf({ ids: [one.id, three.id] })).toEqual(['Three', 'One 100%']);
    });

    it('keeps the order of a cursor when sorted the other way', async () => {
      const first = await app.other.get('/v0/products/list', { query: { take: '1', orderDirection: 'ASC' } });
      const { cursor } = first.body.data;
      const rest = await namesOf({ take: '9', orderDirection: 'ASC', cursor });
      expect(rest).toEqual(['Two', 'Three']);
    });
  });

  describe('400', () => {
    it.each([
      ['statuses', 'GONE'],
      ['types', 'Book'],
      ['orderDirection', 'UP'],
      ['skip', '-1'],
      ['ids', 'x'],
      ['cursor', 'x'],
    ])('refuses %s=%s', async (name, value) => {
      expect((await app.test.get('/v0/products/list', { query: { [name]: value } })).status).toBe(400);
    });
  });

  describe('401', () => {
    it('refuses a read without a key', async () => {
      expect((await app.test.get('/v0/products/list', { keys: 'none' })).status).toBe(401);
    });
  });
});

describe('GET /v0/products/:productId', () => {
  describe('200', () => {
    it('shows unarchived variants in order and unarchived offers', async () => {
      const made = await create({
        variants: [{ name: 'B', order: 2 }, { name: 'A', order: 1 }, { name: 'Gone' }],
        offers: [
          { price: 100, currency: 'EUR' },
          { price: 200, currency: 'EUR' },
        ],
      });
      const gone = made.variants[2];
      await app.test.patch(`/v0/products/${made.product.id}/variants/${gone.id}/archive`, { id: gone.id });
      await app.test.patch(`/v0/offers/${made.offers[0].id}/archive`);
      const { body } = await app.test.get(`/v0/products/${made.product.id}`, { keys: 'public' });
      expect(body.data.variants.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
      expect(body.data.offers.map(({ price }: { price: number }) => price)).toEqual([200]);
      expect(body.data.product).toMatchObject({
        variants: body.data.variants,
        offers: body.data.offers,
        plans: [],
      });
    });

    it('shows the custom fields of the store and of its own project', async () => {
      const [mine, theirs] = ['0192f0c0-0000-7000-8000-0000000000b1', '0192f0c0-0000-7000-8000-0000000000b2'];
      const keys = ['everywhere', 'here', 'elsewhere'];
      for (const [place, projectId] of [null, mine, theirs].entries()) {
        const field = { key: keys[place], label: 'Ask', type: 'text', projectId };
        await app.live.post('/v0/custom-fields/create', field);
      }
      const made = await app.live.post('/v0/products/create', { type: 'Game', name: 'A', projectId: mine });
      const { body } = await app.live.get(`/v0/products/${made.body.data.product.id}`);
      expect(body.data.product.customFields.map(({ key }: { key: string }) => key)).toEqual([
        'everywhere',
        'here',
      ]);
    });
  });

  describe('404', () => {
    it('knows no product of another workspace or mode', async () => {
      const { product } = await create();
      expect((await app.other.get(`/v0/products/${product.id}`)).status).toBe(404);
      expect((await app.live.get(`/v0/products/${product.id}`)).status).toBe(404);
      expect((await app.test.get(`/v0/products/${unknownId}`)).status).toBe(404);
    });
  });

  describe('400', () => {
    it('refuses an id that is no uuid', async () => {
      expect((await app.test.get('/v0/products/x')).status).toBe(400);
    });
  });
});

describe('PATCH /v0/products/:productId/update', () => {
  describe('200', () => {
    it('changes what is said, clears what is null and keeps the rest', async () => {
      const { product } = await create({ description: 'Old', genres: ['Puzzle'], internalId: 'A' });
      const { variants: _v, plans: _p, offers: _o, ...flat } = product;
      const { status, body } = await app.test.patch(`/v0/products/${product.id}/update`, {
        id: product.id,
        type: 'Game',
        name: 'New',
        description: null,
        gallery: [{ value: 'a.png', blurHash: 'x' }],
        features: [{ value: 'f' }],
      });
      expect(status).toBe(200);
      expect(body.data.product).toEqual({
        ...flat,
        name: 'New',
        description: null,
        gallery: [{ value: 'a.png', blurHash: 'x' }],
        features: [{ value: 'f' }],
        updatedAt: expect.any(Number),
        version: 2,
      });
    });

    it('leaves all as it is with an empty body', async () => {
      const { product } = await create({ internalId: 'A' });
      const { body } = await app.test.patch(`/v0/products/${product.id}/update`);
      expect(body.data.product).toMatchObject({ internalId: 'A', slug: product.slug, name: 'Chess' });
    });
  });

  describe('400', () => {
    it.each([
      ['another type', { type: 'GiftCard' }, 'type'],
      ["another id than the path's", { id: unknownId }, 'id'],
      ['a null name', { name: null }, 'name'],
      ['a null slug', { slug: null }, 'slug'],
      ['inline offers', { offers: [] }, 'offers'],
    ])('refuses %s', async (_case, changes, path) => {
      const { product } = await create();
      const { status, body } = await app.test.patch(`/v0/products/${product.id}/update`, changes);
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe(path);
    });
  });

  describe('401', () => {
    it('refuses a write without the secret key', async () => {
      const { status } = await app.test.patch(`/v0/products/${unknownId}/update`, {}, { keys: 'public' });
      expect(status).toBe(401);
    });
  });

  describe('404', () => {
    it('knows no product of another workspace', async () => {
      const { product } = await create();
      expect((await app.other.patch(`/v0/products/${product.id}/update`, { name: 'x' })).status).toBe(404);
    });
  });

  describe('409', () => {
    it('refuses a slug that is taken', async () => {
      const [one, two] = [await create(), await create()];
      const { status, body } = await app.test.patch(`/v0/products/${one.product.id}/update`, {
        slug: two.product.slug,
      });
      expect([status, body.error.code]).toEqual([409, 'slug_taken']);
    });
  });
});

describe('PATCH /v0/products/:productId/archive and /unarchive', () => {
  describe('200', () => {
    it('archives the offers along, keeps the first moment, and takes only the product back', async () => {
      const { product, offers } = await create({ offers: [{ price: 100, currency: 'EUR' }] });
      const first = await app.test.patch(`/v0/products/${product.id}/archive`, { id: product.id });
      expect(first.body.data.product.archivedAt).toEqual(expect.any(Number));
      const offer = await app.test.get(`/v0/offers/${offers[0].id}`);
      expect(offer.body.data.offer.archivedAt).toBe(first.body.data.product.archivedAt);
      const second = await app.test.patch(`/v0/products/${product.id}/archive`);
      expect(second.body.data.product.archivedAt).toBe(first.body.data.product.archivedAt);
      const back = await app.test.patch(`/v0/products/${product.id}/unarchive`);
      expect(back.body.data.product.archivedAt).toBeNull();
      expect((await app.test.get(`/v0/offers/${offers[0].id}`)).body.data.offer.archivedAt).not.toBeNull();
    });
  });

  describe.each(['archive', 'unarchive'])('404', (verb) => {
    it(`knows no product of another workspace to ${verb}`, async () => {
      const { product } = await create();
      expect((await app.other.patch(`/v0/products/${product.id}/${verb}`)).status).toBe(404);
    });
  });
});

describe('POST /v0/products/:productId/duplicate', () => {
  describe('200', () => {
    it('copies the product and its variants under ids and a slug of their own, without offers', async () => {
      const { product, variants } = await create({
        name: 'Original',
        internalId: 'A',
        features: [{ value: 'f' }],
        gallery: [{ value: 'a.png' }],
        variants: [{ name: 'Base', internalId: 'B', features: [{ value: 'v' }] }],
        offers: [{ price: 100, currency: 'EUR', variantIdx: 0 }],
      });
      const { body } = await app.test.post(`/v0/products/${product.id}/duplicate`);
      const copy = body.data.product;
      expect(copy).toMatchObject({ name: 'Original (copy)', slug: 'original-copy', internalId: null });
      expect([copy.features, copy.gallery]).toEqual([product.features, product.gallery]);
      expect(copy.id).not.toBe(product.id);
      expect(copy.variants).toEqual([
        { ...variants[0], id: expect.any(String), productId: copy.id, internalId: null },
      ]);
      expect(copy.variants[0].id).not.toBe(variants[0].id);
      expect(copy.offers).toEqual([]);
    });

    it('fits the copy of a name as long as can be', async () => {
      const { product } = await create({ name: '😀'.repeat(75) });
      expect((await app.test.post(`/v0/products/${product.id}/duplicate`)).status).toBe(200);
    });
  });

  describe('404', () => {
    it('knows no product of another workspace', async () => {
      const { product } = await create();
      expect((await app.other.post(`/v0/products/${product.id}/duplicate`)).status).toBe(404);
    });
  });
});
