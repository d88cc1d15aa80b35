/** Addresses of pictures and videos, as somebody writes them who wants a script in the pages of a shop. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

const SCRIPT = 'javascript:alert(1)';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const refusal = async (asked: ReturnType<TestApp['test']['post']>) => {
  const { status, body } = await asked;
  return [status, body.error?.code, body.error?.details?.[0]?.path];
};
async function makeProduct(extra: object = {}) {
  const { body } = await app.test.post('/v0/products/create', { type: 'Subscription', name: 'A', ...extra });
  return body.data;
}
const plan = { name: 'Base' };
const offer = { price: 100, currency: 'EUR', recurringInterval: 'month' };

describe('an address of a picture or a video that is a script', () => {
  it.each([
    ['cover', { cover: SCRIPT }],
    ['coverVideo', { coverVideo: SCRIPT }],
    ['trailer', { trailer: 'java\tscript:alert(1)' }],
    ['gallery.1.value', { gallery: [{ value: 'https://cdn.example/a.png' }, { value: 'data:text/html,x' }] }],
    ['plans.0.cover', { plans: [{ ...plan, cover: SCRIPT }] }],
    ['variants.0.coverVideo', { variants: [{ ...plan, coverVideo: SCRIPT }] }],
    ['offers.0.cover', { offers: [{ ...offer, cover: SCRIPT }] }],
  ])('is refused of a new product at %s', async (path, extra) => {
    const product = { type: 'Subscription', name: 'A', ...extra };
    const made = app.test.post('/v0/products/create', product);
    expect(await refusal(made)).toEqual([400, 'invalid_input', path]);
  });

  it('is refused of what is changed or added', async () => {
    const { product, plans, offers } = await makeProduct({ plans: [plan], offers: [offer] });
    const path = `/v0/products/${product.id}`;
    const bad = [400, 'invalid_input', 'cover'];
    const cover = { cover: SCRIPT };
    expect(await refusal(app.test.patch(`${path}/update`, cover))).toEqual(bad);
    expect(await refusal(app.test.post(`${path}/plans/add`, { ...plan, ...cover }))).toEqual(bad);
    expect(await refusal(app.test.patch(`${path}/plans/${plans[0].id}/update`, cover))).toEqual(bad);
    expect(await refusal(app.test.patch(`/v0/offers/${offers[0].id}/update`, cover))).toEqual(bad);
    const another = { productId: product.id, ...offer, ...cover };
    expect(await refusal(app.test.post('/v0/offers/create', another))).toEqual(bad);
  });

  it('is no hindrance where it was there before', async () => {
    const { product } = await makeProduct();
    const older = { cover: SCRIPT, gallery: JSON.stringify([{ value: SCRIPT, blurHash: null }]) };
    await app.service.db.updateTable('products').set(older).where('id', '=', product.id).execute();
    const { body: read } = await app.test.get(`/v0/products/${product.id}`);
    const { cover, gallery } = read.data.product;
    expect(cover).toBe(SCRIPT);
    const { status } = await app.test.patch(`/v0/products/${product.id}/update`, {
      cover,
      gallery,
      name: 'B',
    });
    expect(status).toBe(200);
  });

  it('is not a path of one’s own page, nor what is taken away', async () => {
    const { product } = await makeProduct({ cover: '/files/1', trailer: 'https://v.example/1', gallery: [] });
    const { status } = await app.test.patch(`/v0/products/${product.id}/update`, {
      cover: null,
      trailer: '',
    });
    expect(status).toBe(200);
  });
});
