/** Names are printed in mails, documents, logs and headers: what moves a cursor or breaks a line is refused in them. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openPage } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';

let app: TestApp;
let productId: string;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  productId = await makeProduct(app.test);
  offerId = await makeOffer(app.test, { productId });
});
afterAll(() => app.close());

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  content?: Record<string, { schema?: Schema }>;
}

const BELL = 'a\u0007b';

/** What may hold anything: it is parsed, compared or hashed, or is kept as it was given to be given out again. */
const ANYTHING =
  /^(password|newPassword|currentPassword|secret|validationSecret|validationUrl|pattern|productKeys|keys|number|expiry|cvc|clientSecret|token|code|html|css|card|expiresAt|responseText)$/;

/** Texts of a body that would take a bell, by their paths. */
function* findOpen(schema: Schema, path: string, components: Record<string, Schema>): Generator<string> {
  const found = schema.$ref ? components[schema.$ref.split('/').at(-1) ?? ''] : schema;
  if (!found) return;
  for (const one of found.anyOf ?? []) yield* findOpen(one, path, components);
  if (found.items) yield* findOpen(found.items, path, components);
  if (typeof found.additionalProperties === 'object')
    yield* findOpen(found.additionalProperties, `${path}.*`, components);
  for (const [name, one] of Object.entries(found.properties ?? {}))
    yield* findOpen(one, path ? `${path}.${name}` : name, components);
  const isText = [found.type ?? []].flat().includes('string') && !found.enum && !found.format;
  const isRefused = found.pattern !== undefined && !new RegExp(found.pattern, 'u').test(BELL);
  const name = path.split('.').findLast((part) => part !== '*') ?? '';
  if (isText && !isRefused && !ANYTHING.test(name)) yield path;
}

test('Y31 no text of any body of the API takes a control character', () => {
  const description = app.app.swagger() as unknown as {
    paths: Record<string, Record<string, { requestBody?: Schema }>>;
    components: { schemas: Record<string, Schema> };
  };
  const open = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      const found = schema ? [...findOpen(schema, '', description.components.schemas)] : [];
      return found.map((field) => `${method} ${path} ${field}`);
    }),
  );
  expect(open).toEqual([]);
});

describe('Y31 a name', () => {
  const refusedAt = async (field: string, path: string, body: Record<string, unknown>, method = 'POST') => {
    for (const sign of ['\n', '\r\n', '\u0000', '\u001b[31m', '\u007f', '\u0085']) {
      const name = field.split('.').at(-1) ?? '';
      const text = JSON.stringify(body).replace(`"${name}":"?"`, `"${name}":${JSON.stringify(`a${sign}b`)}`);
      const answer = await app.test.request(method, path, {
        body: text,
        headers: { 'content-type': 'application/json' },
      });
      expect({ path, sign, status: answer.status, code: answer.body.error?.code }).toEqual({
        ...{ path, sign, status: 400, code: 'invalid_input' },
      });
      expect(answer.body.error.details[0].path).toBe(field);
      expect(answer.body.error.message).toMatch(/control character|the character U\+/);
    }
  };

  it.each([
    ['name', '/v0/products/create', { type: 'Game', name: '?' }],
    ['developer', '/v0/products/create', { type: 'Game', name: 'x', developer: '?' }],
    ['name', '/v0/discounts/create', { type: 'sale', amount: 1, amountType: 'percentage', name: '?' }],
    ['label', '/v0/custom-fields/create', { key: 'nick', type: 'text', label: '?' }],
    ['username', '/v0/users/create', { email: 'a@example.com', username: '?' }],
    [
      'billingDetails.firstName',
      '/v0/users/create',
      { email: 'a@example.com', billingDetails: { firstName: '?' } },
    ],
  ])('%s is refused by its field: %s', (field, path, body) => refusedAt(field, path, body));

  it('is refused where things are changed, too', async () => {
    await refusedAt('name', `/v0/products/${productId}/update`, { name: '?' }, 'PATCH');
    await refusedAt('name', `/v0/products/${productId}/variants/add`, { name: '?' });
    await refusedAt('name', '/v0/offers/create', { productId, price: 100, currency: 'EUR', name: '?' });
    await refusedAt('name', `/v0/offers/${offerId}/update`, { name: '?' }, 'PATCH');
    await refusedAt('name', '/v0/elements/checkout/create', { offersIds: [offerId], name: '?' });
    await refusedAt('seller.name', '/v0/settings/update', { seller: { name: '?' } }, 'PATCH');
  });

  it('of a buyer is refused at the checkout', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { status, body } = await page.submit({ firstName: 'Ada\u001b[31m' });
    expect({ status, path: body.error.details[0].path }).toEqual({ status: 400, path: 'firstName' });
  });

  it('is no description: that keeps its lines, and nothing else of the kind', async () => {
    const description = 'First line\n\tsecond line\r\nthird';
    const { body } = await app.test.patch(`/v0/products/${productId}/update`, { description });
    expect(body.data.product.description).toBe(description);
    const refused = await app.test.patch(`/v0/products/${productId}/update`, { description: BELL });
    expect({ status: refused.status, path: refused.body.error.details[0].path }).toEqual({
      ...{ status: 400, path: 'description' },
    });
  });
});
