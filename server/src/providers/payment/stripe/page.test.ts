import { describe, expect, it } from 'vitest';
import type { FieldsAsk } from '../page-fields.ts';
import { showStripeFields, toPageSources } from './page.ts';

const OF_PAGE = { publishableKey: 'pk_test_1', scriptUrl: 'https://js.stripe.com/endive/stripe.js' };

function show(more: Partial<FieldsAsk> = {}) {
  const ask = { amountMinor: 1999n, currency: 'EUR', keepsMethod: false, isScarce: false, isFramed: false };
  return showStripeFields({ ...ask, chosen: [], ...more }, OF_PAGE);
}

describe('fields of Stripe on a page', () => {
  it('are told the price as Stripe counts it', () => {
    expect(show()).toMatchObject({ amount: 1999, currency: 'eur', keepsMethod: false });
    expect(show({ amountMinor: 500n, currency: 'JPY' })).toMatchObject({ amount: 500, currency: 'jpy' });
    expect(show({ amountMinor: 5000n, currency: 'ISK' })).toMatchObject({ amount: 500_000 });
  });

  it('only store the method where nothing is due now', () => {
    expect(show({ amountMinor: 0n, keepsMethod: true })).toMatchObject({ amount: null, keepsMethod: true });
  });

  it('are not shown for what Stripe cannot charge', () => {
    expect(show({ amountMinor: 1n })).toBeNull();
    expect(show({ chosen: ['transfer'] })).toBeNull();
  });

  it('P16 in a frame offer what leads nowhere else', () => {
    expect(show({ isFramed: true })?.types).toEqual(['card', 'link']);
  });

  it('offer for a subscription what can be charged again, and no debit of what others may wait for', () => {
    const recurring = show({ keepsMethod: true })?.types ?? [];
    expect(recurring).toEqual(expect.arrayContaining(['card', 'sepa_debit']));
    expect(recurring).not.toContain('klarna');
    expect(show({ isScarce: true })?.types).not.toContain('sepa_debit');
    expect(show({ chosen: ['card', 'ideal'] })?.types).toEqual(['card', 'ideal']);
  });
});

describe('what a page with them may load', () => {
  it('is of Stripe’s own hosts', () => {
    const sources = toPageSources({ scriptUrl: OF_PAGE.scriptUrl, apiUrl: 'https://api.stripe.com' });
    expect(sources).toEqual({
      scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
      frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
      connects: ['https://api.stripe.com'],
    });
  });

  it('is of what stands in their place, and of nothing of Stripe’s then', () => {
    const here = 'http://127.0.0.1:12111';
    const sources = toPageSources({ scriptUrl: `${here}/endive/stripe.js`, apiUrl: here });
    expect(sources).toEqual({ scripts: [here], frames: [here], connects: [here] });
  });
});
