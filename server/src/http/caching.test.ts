import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const cacheOf = async (path: string, keys: 'secret' | 'none' = 'none') =>
  (await app.test.get(path, { keys })).headers['cache-control'];

describe('Y26 what may be cached', () => {
  it('is nothing that does not say so: answers, refusals, pages, documents and downloads', async () => {
    const offerId = await makeOffer(app.test);
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const { payment } = body.data;
    const { pathname } = new URL(payment.invoiceUrl);
    expect(await cacheOf(`/v0/payments/${payment.id}`, 'secret')).toBe('no-store');
    expect(await cacheOf('/v0/users/list', 'secret')).toBe('no-store');
    expect(await cacheOf('/v0/users/list')).toBe('no-store');
    expect(await cacheOf('/v0/nothing')).toBe('no-store');
    expect(await cacheOf(`/checkout/${offerId}`)).toBe('no-store');
    expect(await cacheOf('/pay/unknown')).toBe('no-store');
    expect(await cacheOf(pathname)).toBe('no-store');
    expect(await cacheOf('/downloads/unknown')).toBe('no-store');
    expect(await cacheOf('/healthz')).toBe('no-store');
  });

  it('is the code of the pages, whose names hold a hash of their contents', async () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../../web/dist/manifest.json', import.meta.url), 'utf8'),
    );
    const [{ file }] = Object.values(manifest) as [{ file: string }];
    expect(await cacheOf(`/assets/${file}`)).toBe('public, max-age=31536000, immutable');
    expect(await cacheOf('/assets/unknown.js')).toBe('no-store');
  });
});
