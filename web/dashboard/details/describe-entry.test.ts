import { describe, expect, it } from 'vitest';
import { describeEntry } from './describe-entry.ts';

const words = {
  tName: (prefix: string, name: string) => `${prefix}${name}`,
  money: (amount: number, currency: string) => `${amount} ${currency}`,
};

describe('what an entry says', () => {
  it('is the state and the sum of what moved money', () => {
    const data = { status: 'succeeded', amount: 1234, currency: 'EUR' };
    const entry = { type: 'charge', title: 'charge succeeded', data };
    expect(describeEntry(entry, words)).toBe('status.succeeded · 1234 EUR');
  });

  it('is the event and the state of a delivery', () => {
    const entry = { type: 'delivery', title: 'payment_success waiting', data: { status: 'waiting' } };
    expect(describeEntry(entry, words)).toBe('payment_success · delivery.waiting');
  });

  it('is what was done, where somebody did it', () => {
    const entry = { type: 'audit', title: 'refundOrder', data: { operation: 'refundOrder' } };
    expect(describeEntry(entry, words)).toBe('operation.refundOrder');
  });

  it('is the title of all else', () => {
    expect(describeEntry({ type: 'note', title: 'Asked by phone.', data: {} }, words)).toBe(
      'Asked by phone.',
    );
    const mail = { type: 'mail', title: 'Your order', data: { kind: 'order_paid', status: 'sent' } };
    expect(describeEntry(mail, words)).toBe('Your order');
    expect(describeEntry({ ...mail, title: 'order_paid' }, words)).toBe('mail.order_paid');
  });
});
