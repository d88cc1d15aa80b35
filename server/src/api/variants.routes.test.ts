import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(async () => app.close());

const unknownId = '0192f0c0-0000-7000-8000-000000000000';

async function createProduct(type: string) {
  const { body } = await app.test.post('/v0/products/create', { type, name: 'Chess' });
  return body.data.product;
}

// Plans and variants are one thing under two names: both keep every promise.
describe.each([
  { kind: 'variant', list: 'variants', type: 'Game' },
  { kind: 'plan', list: 'plans', type: 'Subscription' },
])('$kind', ({ kind, list, type }) => {
  async function addTo(productId: string, changes: Record<string, unknown> = {}) {
    const { body } = await app.test.post(`/v0/products/${productId}/${list}/add`, {
      name: 'Base',
      ...changes,
    });
    return body.data[kind];
  }
  async function add(changes: Record<string, unknown> = {}) {
    const product = await createProduct(type);
    const row = await addTo(product.id, changes);
    return { row, product, path: `/v0/products/${product.id}/${list}/${row.id}` };
  }

  describe(`POST /v0/products/:productId/${list}/add`, () => {
    describe('200', () => {
      it('answers every field that was given', async () => {
        const input = {
          name: 'Deluxe',
          description: 'All of it',
          features: [{ value: 'Soundtrack' }],
          cover: 'https://img.example/a.png',
          coverBlurHash: 'LEHV6nWB2yk8',
          coverVideo: 'https://img.example/a.mp4',
        };
        const { row, product } = await add({ ...input, externalId: 'DLX' });
        expect(row).toEqual({
          ...input,
          object: 'variant',
          id: expect.any(String),
          internalId: 'DLX',
          productId: product.id,
          order: 0,
          archivedAt: null,
          version: 1,
        });
      });

      it('needs a name only, and describes with an empty text', async () => {
        const { row } = await add();
        expect(row).toMatchObject({ description: '', features: [], cover: null, internalId: null });
      });

      it('puts each behind the ones before, added at once too', async () => {
        const product = await createProduct(type);
        const rows = await Promise.all(Array.from({ length: 4 }, () => addTo(product.id)));
        expect(rows.map(({ order }) => order).sort()).toEqual([0, 1, 2, 3]);
      });

      it('shows in the product', async () => {
        const { row, product } = await add();
        const { body } = await app.test.get(`/v0/products/${product.id}`);
        expect(body.data[list]).toEqual([row]);
      });
    });

    describe('400', () => {
      it.each([
        ['no name', { name: undefined }, 'name'],
        ['an empty name', { name: '' }, 'name'],
        ['a name above 150 characters', { name: 'x'.repeat(151) }, 'name'],
        ['a feature that is no object', { features: ['a'] }, 'features.0'],
        ['an unknown field', { colour: 'red' }, 'colour'],
        ['two names of its internal id that differ', { internalId: 'a', externalId: 'b' }, 'externalId'],
      ])('refuses %s', async (_case, changes, path) => {
        const product = await createProduct(type);
        const { status, body } = await app.test.post(`/v0/products/${product.id}/${list}/add`, {
          name: 'Base',
          ...changes,
        });
        expect(status).toBe(400);
        expect(body.error.details[0].path).toBe(path);
      });
    });

    describe('401', () => {
      it('refuses a write without the secret key', async () => {
        const path = `/v0/products/${unknownId}/${list}/add`;
        expect((await app.test.post(path, { name: 'Base' }, { keys: 'public' })).status).toBe(401);
      });
    });

    describe('404', () => {
      it('knows no product of another workspace', async () => {
        const product = await createProduct(type);
        const path = `/v0/products/${product.id}/${list}/add`;
        expect((await app.other.post(path, { name: 'Base' })).status).toBe(404);
      });
    });

    describe('409', () => {
      it('adds nothing to an archived product', async () => {
        const product = await createProduct(type);
        await app.test.patch(`/v0/products/${product.id}/archive`);
        const { status, body } = await app.test.post(`/v0/products/${product.id}/${list}/add`, {
          name: 'Base',
        });
        expect([status, body.error.code]).toEqual([409, 'archived']);
      });
    });
  });

  describe(`PATCH …/${list}/:id/update`, () => {
    describe('200', () => {
      it('changes what is said and keeps the rest', async () => {
        const { row, path } = await add({ cover: 'a.png', externalId: 'A' });
        const changes = { name: 'New', cover: null, features: [{ value: 'f' }], order: 5 };
        const { body } = await app.test.patch(`${path}/update`, { id: row.id, ...changes });
        expect(body.data[kind]).toEqual({ ...row, ...changes, version: 2 });
      });
    });

    describe('400', () => {
      it.each([
        ['a null name', { name: null }, 'name'],
        ["another id than the path's", { id: unknownId }, 'id'],
      ])('refuses %s', async (_case, changes, field) => {
        const { path } = await add();
        const { status, body } = await app.test.patch(`${path}/update`, changes);
        expect(status).toBe(400);
        expect(body.error.details[0].path).toBe(field);
      });
    });

    describe('404', () => {
      it('knows none of another product or workspace', async () => {
        const { row, path } = await add();
        const elsewhere = await createProduct(type);
        const wrong = `/v0/products/${elsewhere.id}/${list}/${row.id}/update`;
        expect((await app.test.patch(wrong, { name: 'x' })).status).toBe(404);
        expect((await app.other.patch(`${path}/update`, { name: 'x' })).status).toBe(404);
      });
    });
  });

  describe(`PATCH …/${list}/:id/archive`, () => {
    async function createOffer(productId: string, variantId: string | null) {
      const recurring = { recurringInterval: 'month', recurringIntervalCount: 1 };
      const { body } = await app.test.post('/v0/offers/create', {
        productId,
        variantId,
        price: 100,
        currency: 'EUR',
        ...(type === 'Subscription' ? recurring : {}),
      });
      return body.data.offer;
    }
    async function isArchived(offer: { id: string }) {
      return (await app.test.get(`/v0/offers/${offer.id}`)).body.data.offer.archivedAt !== null;
    }

    describe('200', () => {
      it('leaves its offers unless told to archive them, and never touches others', async () => {
        const { row, product, path } = await add();
        const offer = await createOffer(product.id, row.id);
        const bare = await createOffer(product.id, null);
        const first = await app.test.patch(`${path}/archive`, { id: row.id });
        expect(first.body.data[kind].archivedAt).toEqual(expect.any(Number));
        expect(await isArchived(offer)).toBe(false);
        const second = await app.test.patch(`${path}/archive`, { id: row.id, archiveOffers: true });
        expect(second.body.data).toEqual(first.body.data);
        expect(await isArchived(offer)).toBe(true);
        expect(await isArchived(bare)).toBe(false);
      });
    });

    describe('400', () => {
      it.each([
        ['no id', {}],
        ['another id', { id: unknownId }],
        ['a word for archiveOffers', { archiveOffers: 'yes' }],
      ])('refuses %s', async (_case, changes) => {
        const { row, path } = await add();
        const body = 'archiveOffers' in changes ? { id: row.id, ...changes } : changes;
        expect((await app.test.patch(`${path}/archive`, body)).status).toBe(400);
      });
    });

    describe('404', () => {
      it('knows none of another workspace', async () => {
        const { row, path } = await add();
        expect((await app.other.patch(`${path}/archive`, { id: row.id })).status).toBe(404);
      });
    });
  });
});

describe('POST /v0/products/:productId/plans/add', () => {
  describe('400', () => {
    it('refuses a plan of a product that is no Subscription', async () => {
      const product = await createProduct('Game');
      const { status, body } = await app.test.post(`/v0/products/${product.id}/plans/add`, { name: 'Team' });
      expect([status, body.error.code]).toEqual([400, 'plans_need_subscription']);
    });
  });
});
