import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app?.close());

async function buy(fields: Record<string, unknown> = {}): Promise<string> {
  const offerId = await makeOffer(app.test, { price: 1000, taxBehavior: 'exclusive', ...fields });
  const { body } = await app.test.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail: 'buyer@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  return body.data.order.number;
}

const preview = (number: string, { amount, paymentId }: { amount?: number; paymentId?: string } = {}) =>
  app.test.get(`/v0/orders/${number}/refunds/preview`, {
    query: {
      ...(amount === undefined ? {} : { amount: String(amount) }),
      ...(paymentId === undefined ? {} : { paymentId }),
    },
  });

describe('GET /v0/orders/{id}/refunds/preview', () => {
  it('says to the unit what the refund then gives back, at each step', async () => {
    const number = await buy();
    for (const amount of [333, 1, 500, undefined]) {
      const body = amount === undefined ? {} : { amount };
      const { refundPreview } = (await preview(number, body)).body.data;
      const { refund } = (await app.test.post(`/v0/orders/${number}/refunds`, body)).body.data;
      const { paymentId, tax, currency, byHand } = refund;
      expect(refundPreview).toEqual({
        object: 'refund_preview',
        paymentId,
        amount: refund.amount,
        tax,
        currency,
        byHand,
      });
    }
  });

  it('writes nothing', async () => {
    const number = await buy();
    await preview(number, { amount: 100 });
    expect((await app.test.get(`/v0/orders/${number}`)).body.data.refunds).toEqual([]);
  });

  it('is refused as the refund would be', async () => {
    const number = await buy();
    await expectRefusal(preview(number, { amount: 1_000_000 }), 400, 'refund_exceeds_paid');
    await expectRefusal(preview(number, { amount: 0 }), 400, 'invalid_input');
    await expectRefusal(preview('999999'), 404, 'not_found');
    await app.test.post(`/v0/orders/${number}/refunds`, {});
    await expectRefusal(preview(number), 409, 'already_refunded');
    const { paymentId } = (await preview(await buy())).body.data.refundPreview;
    await expectRefusal(preview(number, { paymentId }), 404, 'not_found');
    const path = `/v0/orders/${number}/refunds/preview`;
    await expectRefusal(app.test.get(path, { keys: 'public' }), 401, 'secret_key_required');
  });
});

it('keys of an order are masked for a member until they are revealed, and the look is noted', async () => {
  const offerId = await makeOffer(app.test, {});
  const KEY = 'AAAA-BBBB-CCCC-DDDD';
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { keys: [KEY] });
  const { body } = await app.test.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail: 'keys@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  const { number, id } = body.data.order;
  await makeAccount(app, { email: 'ada@example.com' });
  const ada = await openSignedIn(app, 'ada@example.com');
  const shown = await ada.get(`/v0/orders/${number}`);
  expect(shown.text).not.toContain(KEY);
  expect(shown.body.data.items[0].keys[0].key).toBe('••••DDDD');
  const revealed = await ada.post(`/v0/orders/${number}/reveal-keys`);
  expect(revealed.body.data.keys.map(({ key }: { key: string }) => key)).toEqual([KEY]);
  const { auditEntries } = (await ada.get('/v0/audit-log/list', { query: { objectId: id } })).body.data;
  expect(auditEntries[0]).toMatchObject({ operation: 'revealOrderKeys' });
  expect(JSON.stringify(auditEntries)).not.toContain(KEY);
});
