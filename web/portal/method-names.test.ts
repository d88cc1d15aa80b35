import { expect, it } from 'vitest';
import { describeOwn } from './method-names.ts';

/** The key of a text with what stands in it. */
const locale = { t: (key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ') };

it.each([
  ['card', 'jcb', '0505', 'receipt.methodCard JCB 0505'],
  ['card', null, null, 'receipt.card'],
  ['paypal', null, null, 'PayPal'],
  ['sepa_debit', null, '3000', 'receipt.methodCard SEPA Direct Debit 3000'],
  ['bank_transfer', null, null, 'method.transfer'],
])('calls %s of %s %s in the portal', (type, brand, last4, text) => {
  expect(describeOwn(locale, { type, brand, last4 })).toBe(text);
});
