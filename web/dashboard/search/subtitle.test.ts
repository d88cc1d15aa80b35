import { expect, it } from 'vitest';
import { toSubtitle } from './subtitle.ts';

it.each([
  ['order', 'PARTIALLY_REFUNDED', 'status.PARTIALLY_REFUNDED'],
  ['order', 'ada@example.com', 'ada@example.com'],
  ['order', 'key ••••0001', 'search.key ••••0001'],
  ['payment', 'subscription_interval', 'type.subscription_interval'],
  ['product', 'SoftwareKey', 'product.SoftwareKey'],
  ['invoice', 'credit_note', 'document.credit_note'],
  ['subscription', 'past_due', 'status.past_due'],
  ['user', 'PAID', 'PAID'],
  ['user', '', ''],
])('D46 beside a found %s, %s is told as %s', (object, subtitle, told) => {
  expect(
    toSubtitle(
      { object, subtitle },
      {
        t: (key, values) => `${key} ${values?.key}`,
        tName: (prefix, name) => prefix + name,
      },
    ),
  ).toBe(told);
});
