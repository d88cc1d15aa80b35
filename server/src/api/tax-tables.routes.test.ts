import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { overviewOf } from '../../test/support/figures.ts';
import { type Answer, createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { findThresholds, THRESHOLDS, toThresholdStart } from '../domain/tax/thresholds.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.test.patch('/v0/settings/update', { sellerCountry: 'DE' });
});
afterAll(() => app.close());

const get = async (path: string, query: Record<string, string> = {}) =>
  (await app.test.get(path, { query })).body.data;

describe('GET /v0/tax/rates/list', () => {
  it('shows what holds at a moment, with its source', async () => {
    const at = (moment: string) => get('/v0/tax/rates/list', { country: 'EE', at: moment });
    expect((await at('2023-06-01')).rates).toMatchObject([
      { country: 'EE', percentage: 20, tablePercentage: 20, source: 'Käibemaksuseadus § 15', override: null },
    ]);
    expect((await at('2024-06-01')).rates).toMatchObject([{ percentage: 22 }]);
  });

  test('D35 a rate of the store’s own acts from its day on, here and in what is taxed', async () => {
    const validFrom = Date.now() + DAY_MS;
    const own = { country: 'FR', percentage: 21.5, validFrom, note: 'Announced' };
    expect((await app.test.patch('/v0/settings/update', { taxRateOverrides: [own] })).status).toBe(200);
    const ofFrance = async (at: number) =>
      (await get('/v0/tax/rates/list', { country: 'FR', at: String(at) })).rates.filter(
        ({ region }: Answer['body']) => region === null,
      );
    expect(await ofFrance(validFrom - 1)).toMatchObject([{ percentage: 20, override: null }]);
    expect(await ofFrance(validFrom)).toMatchObject([
      { percentage: 21.5, tablePercentage: 20, validFrom, override: { percentage: 21.5, note: 'Announced' } },
    ]);
  });

  it('pages through all of them, forwards and back', async () => {
    const { count } = await get('/v0/tax/rates/list');
    const first = await get('/v0/tax/rates/list', { take: '100' });
    const second = await get('/v0/tax/rates/list', { take: '100', cursor: first.cursor });
    expect([count > 150, first.rates.length, first.previousCursor]).toEqual([true, 100, null]);
    expect(second.rates[0]).not.toEqual(first.rates[99]);
    const back = await get('/v0/tax/rates/list', { take: '100', cursor: second.previousCursor });
    expect(back.rates).toEqual(first.rates);
    await expectRefusal(app.test.get('/v0/tax/rates/list?cursor=x'), 400, 'invalid_input');
  });
});

describe('GET /v0/tax/summary', () => {
  test('D35 comes to the figure taxCollected, refunds taken away', async () => {
    const offerId = await makeOffer(app.test, { price: 1000 });
    const sell = (countryCode: string) =>
      buy(app.test, {
        offersIds: [offerId],
        userEmail: `${countryCode.toLowerCase()}@example.com`,
        billingDetails: { countryCode, postalCode: '10115' },
      });
    await sell('DE');
    const { body } = await sell('DE');
    await sell('PL');
    await app.test.post(`/v0/orders/${body.data.order.id}/refunds`, { amount: 595 });
    const window = { from: String(Date.now() - DAY_MS), to: String(Date.now() + DAY_MS) };
    const { rows } = await get('/v0/tax/summary', window);
    expect(rows).toEqual([
      {
        currency: 'EUR',
        country: 'DE',
        region: null,
        name: 'VAT',
        percentage: 19,
        taxable: 1500,
        tax: 285,
        payments: 2,
      },
      {
        currency: 'EUR',
        country: 'PL',
        region: null,
        name: 'VAT',
        percentage: 23,
        taxable: 1000,
        tax: 230,
        payments: 1,
      },
    ]);
    const { taxCollected } = await overviewOf(app.test, { ...window, currency: 'EUR' });
    expect(rows.reduce((sum: number, { tax }: Answer['body']) => sum + tax, 0)).toBe(taxCollected);
  });

  it('400 for a window that ends before it begins', async () => {
    await expectRefusal(app.test.get('/v0/tax/summary?from=2026-02-01&to=2026-01-01'), 400, 'invalid_input');
    expect((await get('/v0/tax/summary', { from: '2001-01-01', to: '2001-02-01' })).rows).toEqual([]);
  });
});

describe('GET /v0/tax/thresholds', () => {
  it('stands beside the sales that count, with a ratio in its own currency alone', async () => {
    const { thresholds } = await get('/v0/tax/thresholds');
    const of = (scheme: string) => thresholds.find((one: Answer['body']) => one.scheme === scheme);
    expect(of('eu_cross_border')).toMatchObject({
      ...{ currency: 'EUR', amount: 1_000_000, applies: true, source: expect.stringContaining('59c') },
      // To Poland; what was sold in Germany is the seller's own country.
      ...{ sales: [{ currency: 'EUR', amount: 1000 }], ratio: 0.001 },
    });
    expect(of('gb_vat')).toMatchObject({ amount: 9_000_000, applies: false, sales: [], ratio: null });
    // Turnover everywhere counts, and none of it was in francs.
    expect(of('ch_vat')).toMatchObject({
      applies: true,
      sales: [{ currency: 'EUR', amount: 2500 }],
      ratio: null,
    });
  });
});

describe('the table of thresholds', () => {
  it('has one row of each scheme at a moment, and a source for each', () => {
    const now = findThresholds(Date.UTC(2026, 0, 1)).map(({ scheme }) => scheme);
    expect(new Set(now).size).toBe(now.length);
    expect(THRESHOLDS.every(({ source, amountMinor }) => source !== '' && amountMinor > 0n)).toBe(true);
  });

  it.each([
    ['2024-03-31', 8_500_000n],
    ['2024-04-01', 9_000_000n],
  ])('of the United Kingdom on %s is %d', (day, amountMinor) => {
    const found = findThresholds(Date.parse(day)).find(({ scheme }) => scheme === 'gb_vat');
    expect(found?.amountMinor).toBe(amountMinor);
  });

  it('counts from the first of the year, or for twelve months', () => {
    const now = Date.UTC(2026, 10, 22, 12);
    expect(toThresholdStart('calendar_year', now)).toBe(Date.UTC(2026, 0, 1));
    expect(toThresholdStart('twelve_months', now)).toBe(Date.UTC(2025, 10, 22, 12));
  });
});
