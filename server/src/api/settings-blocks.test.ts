import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const change = (body: Record<string, unknown>) => app.test.patch('/v0/settings/update', body);

describe('blocks of settings', () => {
  it('have defaults, change field by field and are kept', async () => {
    const { settings } = (await app.test.get('/v0/settings')).body.data;
    expect(settings).toMatchObject({
      timezone: 'UTC',
      branding: { accent: null, theme: 'auto' },
      portal: { planChange: 'product', pauseMaxDays: 90, cancelTiming: 'endInterval' },
      consumer: { withdrawal: 'eu', consent: 'ask' },
      checkout: { reminder: 'off', receiptDays: 30 },
      taxRateOverrides: [],
    });
    const { body } = await change({
      branding: { accent: '#1a5fb4' },
      portal: { pause: true },
      timezone: 'Europe/Berlin',
    });
    const expected = {
      timezone: 'Europe/Berlin',
      branding: { ...settings.branding, accent: '#1a5fb4' },
      portal: { ...settings.portal, pause: true },
    };
    expect(body.data.settings).toMatchObject(expected);
    expect((await app.test.get('/v0/settings')).body.data.settings).toMatchObject(expected);
  });

  it('name only what is of this store', async () => {
    const nowhere = '00000000-0000-7000-8000-000000000000';
    const code = { type: 'code', discountCode: 'STAY', amount: 10, amountType: 'percentage' };
    const made = await Promise.all(
      [app.test, app.live].map(async (store) => {
        const offerId = await makeOffer(store);
        const { body } = await store.post('/v0/discounts/create', code);
        return { offerId, discountId: body.data.discount.id };
      }),
    );
    const [own, foreign] = made;
    for (const id of [nowhere, foreign?.discountId]) {
      await expectRefusal(change({ portal: { stayDiscountId: id } }), 400, 'unknown_reference');
      await expectRefusal(change({ checkout: { reminderDiscountId: id } }), 400, 'unknown_reference');
    }
    for (const id of [nowhere, foreign?.offerId]) {
      const { status, body } = await change({ portal: { planChangeOffers: [own?.offerId, id] } });
      expect({ status, message: body.error.message }).toEqual({
        status: 400,
        message: `portal.planChangeOffers names an object that does not exist: ${id}`,
      });
    }
    const kept = {
      portal: { stayDiscountId: own?.discountId, planChangeOffers: [own?.offerId] },
      checkout: { reminderDiscountId: own?.discountId },
    };
    expect((await change(kept)).body.data.settings).toMatchObject(kept);
  });

  it('refuse what cannot be, by the field', async () => {
    await expectRefusal(change({ branding: { accent: '#ffee00' } }), 400, 'accent_contrast');
    for (const [path, body] of [
      ['timezone', { timezone: '+02:00' }],
      ['branding.termsUrl', { branding: { termsUrl: 'ftp://x.example' } }],
      ['branding.logo', { branding: { logo: 'https://x.example/logo.png' } }],
      ['taxRateOverrides.0.country', { taxRateOverrides: [{ country: 'QQ', percentage: 1, validFrom: 0 }] }],
    ] as const) {
      const { status, body: answer } = await change(body);
      expect({ status, path: answer.error.details[0].path }).toEqual({ status: 400, path });
    }
  });
});

test('D35 a rate override wins over the table from its day on', async () => {
  const offerId = await makeOffer(app.test, { price: 1000 });
  const tax = async () =>
    (await app.test.post('/v0/tax/calculate', { offerId, customer: { countryCode: 'DE' } })).body.data.tax
      .tax;
  expect(await tax()).toBe(190);
  const override = { country: 'DE', percentage: 7.5, note: 'Ruling' };
  await change({ taxRateOverrides: [{ ...override, validFrom: Date.now() + 86_400_000 }] });
  expect(await tax()).toBe(190);
  await change({ taxRateOverrides: [{ ...override, validFrom: Date.now() - 1000 }] });
  expect(await tax()).toBe(75);
});
