/** A name of spaces alone is shown as nothing, and cannot be pressed: nothing is called so. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAccount, openBrowser, openSignedIn } from '../../test/support/browser.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { subscribe } from '../../test/support/subscribing.ts';
import { findSetup } from '../flows/accounts/setup-link.ts';

const BLANK = ' \u00a0 ';
const PASSWORD = 'orbit velvet kitchen thunder 77';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

async function expectBlank(asked: Promise<{ status: number; body: { error?: unknown } }>, path: string) {
  const { status, body } = await asked;
  const details = [{ path, message: 'must hold more than spaces' }];
  expect({ path, status, body }).toMatchObject({ path, status: 400, body: { error: { details } } });
}

it('D34 things of the catalogue are made and changed under names that can be read', async () => {
  const { test } = t;
  const made = async (path: string, body: object, noun: string) =>
    `/v0/${path}/${(await test.post(`/v0/${path}/create`, body)).body.data[noun].id}`;
  const game = { type: 'Game', name: 'Chess' };
  const product = await made('products', game, 'product');
  const offer = await makeOffer(test);
  const code = { type: 'code', discountCode: 'SPRING', amountType: 'percentage', amount: 10 };
  const field = { key: 'nick', label: 'Nick', type: 'text', required: false };
  const discount = await made('discounts', code, 'discount');
  const element = await made('elements/checkout', { offersIds: [offer] }, 'checkoutElement');
  const customField = await made('custom-fields', field, 'customField');
  const { variant } = (await test.post(`${product}/variants/add`, { name: 'Deluxe' })).body.data;
  await Promise.all([
    expectBlank(test.post('/v0/products/create', { ...game, name: BLANK }), 'name'),
    expectBlank(
      test.post('/v0/products/create', { ...game, variants: [{ name: 'Plain' }, { name: BLANK }] }),
      'variants.1.name',
    ),
    expectBlank(test.patch(`${product}/update`, { name: BLANK }), 'name'),
    expectBlank(test.post(`${product}/variants/add`, { name: BLANK }), 'name'),
    expectBlank(test.patch(`${product}/variants/${variant.id}/update`, { name: BLANK }), 'name'),
    expectBlank(
      test.post('/v0/offers/create', {
        productId: product.split('/').pop(),
        ...{ name: BLANK, price: 100, currency: 'USD' },
      }),
      'name',
    ),
    expectBlank(test.patch(`/v0/offers/${offer}/update`, { name: BLANK }), 'name'),
    expectBlank(test.post('/v0/discounts/create', { ...code, discountCode: 'B', name: BLANK }), 'name'),
    expectBlank(test.patch(`${discount}/update`, { name: BLANK }), 'name'),
    expectBlank(test.post('/v0/elements/checkout/create', { offersIds: [offer], name: BLANK }), 'name'),
    expectBlank(test.patch(`${element}/update`, { name: BLANK }), 'name'),
    expectBlank(test.post('/v0/custom-fields/create', { ...field, key: 'b', label: BLANK }), 'label'),
    expectBlank(test.patch(`${customField}/update`, { label: BLANK }), 'label'),
    expectBlank(test.post('/v0/listeners/create', { name: BLANK, events: ['payment_success'] }), 'name'),
    expectBlank(test.post('/v0/processors/connect', { kind: 'manual', name: BLANK }), 'name'),
  ]);
  // None is no blank one.
  expect((await test.patch(`/v0/offers/${offer}/update`, { name: null })).status).toBe(200);
});

it.each([
  ['a zero-width space', '\u200b'],
  ['a mark of direction', '\u202e'],
  ['a Hangul filler', '\u3164'],
  ['a blank of Braille', '\u2800 \u2800'],
  ['a selector of variants', '\ufe0f'],
])('D34 nothing is called %s alone, which shows nothing either', async (_what, unseen) => {
  await expectBlank(t.test.post('/v0/products/create', { type: 'Game', name: unseen }), 'name');
  const shown = { type: 'Game', name: `Chess${unseen}` };
  expect((await t.test.post('/v0/products/create', shown)).status).toBe(200);
});

it('D34 neither is what an invoice says was sold', async () => {
  const { number: id } = await subscribe(t, await makePlanOffer(t.test));
  const line = { name: BLANK, unitPrice: 100, currency: 'USD' };
  const lines = { items: [{ ...line, name: 'Hours' }, line] };
  await expectBlank(t.test.post(`/v0/subscriptions/${id}/charge`, lines), 'items.1.name');
  const short = { amount: 100, description: BLANK };
  await expectBlank(t.test.post(`/v0/subscriptions/${id}/charge`, short), 'description');
  await expectBlank(t.test.patch(`/v0/subscriptions/${id}/update`, lines), 'items.1.name');
});

it('stocks no key that nobody sees', async () => {
  const offer = await makeOffer(t.test);
  const { body } = await t.test.post(`/v0/offers/${offer}/keys/add`, { productKeys: ['SEEN', '\u200b'] });
  expect(body.error).toMatchObject({ code: 'invalid_input', details: [{ message: 'must not be empty' }] });
});

it('D34 people who come in by a link say what they are called', async () => {
  const id = await makeAccount(t, { email: 'root@first.example', installationAdmin: true });
  await t.service.db.updateTable('accounts').set({ setupOpen: true }).where('id', '=', id).execute();
  const { token } = (await findSetup(t.service)) ?? { token: '' };
  const setUp = { token, email: 'root@first.example', name: 'Ada', password: PASSWORD };
  const workspace = { name: BLANK, country: 'DE', currency: 'EUR' };
  const stranger = openBrowser(t);
  await expectBlank(stranger.post('/v0/account/setup', { ...setUp, name: BLANK, workspace: null }), 'name');
  await expectBlank(stranger.post('/v0/account/setup', { ...setUp, workspace }), 'workspace.name');

  const root = await openSignedIn(t, 'root@first.example');
  const guest = { email: 'guest@first.example', role: 'support' };
  const { url } = (await root.post('/v0/invitations/create', guest)).body.data;
  const invited = { token: String(url).split('#')[1], name: BLANK, password: PASSWORD };
  await expectBlank(stranger.post('/v0/invitations/accept', invited), 'name');
  await expectBlank(root.patch(`/v0/installation/accounts/${id}/update`, { name: BLANK }), 'name');
});
