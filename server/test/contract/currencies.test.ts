import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURRENCIES } from '../../src/domain/money/currency.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeProduct } from '../support/make-catalogue.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

// The contract's own list, which is ISO 4217's and not that of Intl.
const NONE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ');
const THREE = 'BHD JOD KWD OMR TND'.split(' ');

it('T16 answers each currency with the decimals of ISO 4217', async () => {
  const productId = await makeProduct(t.test);
  const told: Record<string, number> = {};
  const expected: Record<string, number> = {};
  for (const currency of CURRENCIES) {
    const body = { productId, amount: 1999, currency, customer: { countryCode: 'DE' } };
    const answer = await t.test.post('/v0/tax/calculate', body);
    told[currency] = answer.body.data?.tax.currencyDecimals;
    expected[currency] = NONE.includes(currency) ? 0 : THREE.includes(currency) ? 3 : 2;
  }
  expect(told).toEqual(expected);
  expect(CURRENCIES.length).toBeGreaterThanOrEqual(150);
});
