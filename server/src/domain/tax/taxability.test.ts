import { describe, expect, it } from 'vitest';
import { toTaxCategory } from './taxability.ts';

describe('toTaxCategory', () => {
  it.each([
    ['DigitalDownload', 'digital_good'],
    ['VirtualItem', 'digital_good'],
    ['VirtualCurrency', 'digital_good'],
    ['Game', 'software'],
    ['SoftwareKey', 'software'],
    ['Subscription', 'saas'],
    ['OneTimePayment', 'digital_service'],
    ['GiftCard', 'voucher'],
  ] as const)('takes a %s for a %s', (type, category) => {
    expect(toTaxCategory(type)).toBe(category);
  });
});
