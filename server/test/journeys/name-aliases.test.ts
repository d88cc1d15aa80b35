/** A client that was written for another name of this API works by its base URL alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

let app: TestApp;
let receiver: Receiver;
beforeAll(async () => {
  app = await createTestApp({ NAME_PREFIX_ALIASES: 'abc,xyz', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

describe('NAME_PREFIX_ALIASES', () => {
  it('lets keys come under another name', async () => {
    const { publicKey, secretKey } = app.test.keys;
    const headers = { 'x-abc-public-key': publicKey, 'x-xyz-secret-key': secretKey };
    const body = { type: 'Game', name: 'Alias' };
    const made = await app.test.request('POST', '/v0/products/create', { keys: 'none', headers, body });
    expect(made.status).toBe(200);
  });

  it('sends the headers of a webhook under every name, with one value', async () => {
    const url = `${receiver.url}/hook`;
    await app.test.post('/v0/webhooks/create', { url, events: ['payment_success'] });
    await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    await app.wired.worker.runDue();
    const [{ headers } = { headers: {} as Record<string, string> }] = receiver.requests;
    expect(headers['x-svc-signature']).toMatch(/^sha256_[0-9a-f]{64}$/);
    for (const name of ['signature', 'event', 'attempt']) {
      expect(headers[`x-abc-${name}`]).toBe(headers[`x-svc-${name}`]);
      expect(headers[`x-xyz-${name}`]).toBe(headers[`x-svc-${name}`]);
    }
    expect(headers).not.toHaveProperty('x-other-signature');
  });

  it('reads the parameters of a checkout link under every name, and none under a name that is not listed', async () => {
    const link = `/checkout/${await makeOffer(app.test, { mutableQuantity: true })}`;
    const query =
      'abc-customer-email=ada%40example.com&xyz-customer-country=DE&abc-quantity=3&def-customer-city=Bonn';
    const { form, items } = await (await openPage(app, `${link}?${query}`)).look();
    expect(form).toMatchObject({ email: 'ada@example.com', countryCode: 'DE', city: '' });
    expect(items).toMatchObject([{ quantity: 3 }]);
  });

  it('tells the page that a buyer is sent on to by every name', async () => {
    await app.test.patch('/v0/settings/update', {
      redirectUrl: 'https://shop.example/thanks?abc-order-id=x',
    });
    const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
    const { body } = await page.submit();
    const { redirectUrl, orderId } = body.data.checkout.receipt;
    const told = new URL(redirectUrl).searchParams;
    for (const name of ['svc', 'abc', 'xyz']) expect(told.getAll(`${name}-order-id`)).toEqual([orderId]);
  });
});
