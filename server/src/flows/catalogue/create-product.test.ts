import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';

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

describe('POST /v0/products/create', () => {
  describe('200', () => {
    it('answers every field that was given', async () => {
      const input = {
        type: 'Game',
        name: 'Élan 2',
        description: 'A game.',
        developer: 'Studio',
        publisher: 'House',
        pegiRating: '!',
        releaseDate: 1_700_000_000_000,
        systems: ['Linux', 'Windows'],
        genres: ['Puzzle'],
        status: 'HIDDEN',
        cover: 'https://img.example/a.png',
        coverBlurHash: 'LEHV6nWB2yk8',
        coverVideo: 'https://img.example/a.mp4',
        trailer: 'https://img.example/t.mp4',
        features: [{ value: 'Two players' }],
        projectId: unknownId,
      };
      const gallery = [{ value: 'https://img.example/b.png' }];
      const { status, body } = await app.test.post('/v0/products/create', {
        ...input,
        gallery,
        externalId: 'SKU-1',
      });
      expect(status).toBe(200);
      expect(body.data.product).toEqual({
        ...input,
        object: 'product',
        id: expect.any(String),
        internalId: 'SKU-1',
        slug: 'elan-2',
        gallery: [{ value: 'https://img.example/b.png', blurHash: null }],
        customFields: [],
        archivedAt: null,
        createdAt: expect.any(Number),
        updatedAt: expect.any(Number),
        variants: [],
        withdrawal: 'content',
        plans: [],
        offers: [],
        version: 1,
      });
    });

    it('sells at once and leaves unset fields null or empty', async () => {
      const { product } = await create();
      expect(product.status).toBe('ACTIVE');
      expect([product.internalId, product.description, product.pegiRating, product.releaseDate]).toEqual(
        Array(4).fill(null),
      );
      expect([product.systems, product.genres, product.gallery, product.features]).toEqual(Array(4).fill([]));
    });

    it('takes a release date in seconds', async () => {
      expect((await create({ releaseDate: 1_700_000_000 })).product.releaseDate).toBe(1_700_000_000_000);
    });

    it('derives a slug of its own for each product of one name', async () => {
      const slugs = [];
      for (let i = 0; i < 3; i += 1) slugs.push((await create({ name: 'Go!' })).product.slug);
      expect(slugs).toEqual(['go', 'go-2', 'go-3']);
      await create({ slug: 'go-7' });
      expect((await create({ name: 'Go' })).product.slug).toBe('go-8');
    });

    it('derives free slugs for products of one name made at once', async () => {
      const made = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'Rush' })));
      expect(new Set(made.map(({ product }) => product.slug)).size).toBe(8);
    });

    it('makes variants and offers, each offer at its variant', async () => {
      const { product, variants, plans, offers } = await create({
        variants: [{ name: 'Base' }, { name: 'Deluxe', description: null, externalId: 'DLX' }],
        offers: [
          { price: 4900, currency: 'EUR', variantIdx: 1 },
          { price: 2900, currency: 'EUR', variantIdx: 0 },
          { price: 900, currency: 'EUR' },
        ],
      });
      expect(variants.map(({ name, order }: { name: string; order: number }) => [name, order])).toEqual([
        ['Base', 0],
        ['Deluxe', 1],
      ]);
      expect(variants.map(({ description }: { description: string }) => description)).toEqual(['', null]);
      expect(variants[1].internalId).toBe('DLX');
      expect(plans).toEqual([]);
      expect(offers.map(({ variantId }: { variantId: string }) => variantId)).toEqual([
        variants[1].id,
        variants[0].id,
        null,
      ]);
      expect(product.variants).toEqual(variants);
      expect(product.offers).toEqual(offers);
    });

    it.each(['plans', 'variants'])('makes the plans of a Subscription from %s', async (list) => {
      const recurring = { recurringInterval: 'month', recurringIntervalCount: 1 };
      const { plans, variants, offers } = await create({
        type: 'Subscription',
        [list]: [{ name: 'Team' }],
        offers: [{ price: 1900, currency: 'EUR', variantIdx: 0, ...recurring }],
      });
      expect(plans).toHaveLength(1);
      expect(variants).toEqual(plans);
      expect(offers[0].variantId).toBe(plans[0].id);
    });

    it('answers a repeated Idempotency-Key with the same product', async () => {
      const headers = { 'idempotency-key': 'one product' };
      const input = { type: 'Game', name: 'Once' };
      const first = await app.test.post('/v0/products/create', input, { headers });
      const second = await app.test.post('/v0/products/create', input, { headers });
      expect(second.body).toEqual(first.body);
    });
  });

  describe('400', () => {
    const offer = { price: 100, currency: 'EUR' };
    it.each([
      ['an unknown type', { type: 'Book' }, 'type'],
      ['an empty name', { name: '' }, 'name'],
      ['a name above 150 characters', { name: 'x'.repeat(151) }, 'name'],
      ['an unknown field', { prise: 1 }, 'prise'],
      ['a slug with a slash', { slug: 'a/b' }, 'slug'],
      ['a null status', { status: null }, 'status'],
      ['an unknown rating', { pegiRating: '17' }, 'pegiRating'],
      ['a project id that is no uuid', { projectId: 'x' }, 'projectId'],
      ['a genre without text', { genres: [''] }, 'genres.0'],
      ['two names of its internal id that differ', { internalId: 'a', externalId: 'b' }, 'externalId'],
      ['a variant without a name', { variants: [{}] }, 'variants.0.name'],
      [
        'an offer at a variant that is not there',
        { offers: [{ ...offer, variantIdx: 0 }] },
        'offers.0.variantIdx',
      ],
      ['a fractional price', { offers: [{ ...offer, price: 100.5 }] }, 'offers.0.price'],
      ['an offer with a product id', { offers: [{ ...offer, productId: unknownId }] }, 'offers.0.productId'],
      [
        'plans beside variants',
        { type: 'Subscription', plans: [{ name: 'a' }], variants: [{ name: 'b' }] },
        'variants',
      ],
    ])('refuses %s', async (_case, changes, path) => {
      const { status, body } = await app.test.post('/v0/products/create', {
        type: 'Game',
        name: 'Chess',
        ...changes,
      });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe(path);
    });

    it('refuses plans of a product that is no Subscription', async () => {
      const input = { type: 'Game', name: 'Chess', plans: [{ name: 'Team' }] };
      const { status, body } = await app.test.post('/v0/products/create', input);
      expect([status, body.error.code]).toEqual([400, 'plans_need_subscription']);
    });

    it('names the field that an inline plan lacks, and the plan before the sentence', async () => {
      const input = { type: 'Subscription', name: 'Club', offers: [offer] };
      const { body } = await app.test.post('/v0/products/create', input);
      expect(body.error).toMatchObject({
        message: expect.stringMatching(/^offers\.0: An offer /),
        details: [{ path: 'offers.0.recurringInterval', message: 'is required' }],
      });
    });

    it('names the inline offer that is refused, and keeps nothing', async () => {
      const { status, body } = await app.test.post('/v0/products/create', {
        type: 'Game',
        name: 'Half made',
        variants: [{ name: 'Base' }],
        offers: [offer, { price: 0, currency: 'EUR' }],
      });
      expect([status, body.error.code]).toEqual([400, 'free_product_price']);
      expect(body.error.message).toContain('offers.1');
      const found = await app.test.get('/v0/products/list', { query: { term: 'Half made' } });
      expect(found.body.data.count).toBe(0);
    });
  });

  describe('401', () => {
    it('refuses a write without the secret key', async () => {
      const input = { type: 'Game', name: 'Chess' };
      expect((await app.test.post('/v0/products/create', input, { keys: 'public' })).status).toBe(401);
    });
  });

  describe('409', () => {
    it('refuses a given slug that is taken, by an archived product too', async () => {
      const { product } = await create({ slug: 'mine' });
      await app.test.patch(`/v0/products/${product.id}/archive`);
      const input = { type: 'Game', name: 'Chess', slug: 'mine' };
      const { status, body } = await app.test.post('/v0/products/create', input);
      expect([status, body.error.code]).toEqual([409, 'slug_taken']);
      expect((await app.live.post('/v0/products/create', input)).status).toBe(200);
    });
  });
});
