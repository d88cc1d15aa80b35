import { describe, expect, it } from 'vitest';
import { findDetail } from './paths.ts';

describe('findDetail', () => {
  it('takes the longest path that an address begins with', () => {
    expect(findDetail('/orders/payments/p-1')).toEqual({ kind: 'payment', id: 'p-1' });
    expect(findDetail('/orders/1001')).toEqual({ kind: 'order', id: '1001' });
  });

  it('knows no object of a list or of what lies deeper', () => {
    for (const href of ['/orders', '/orders/', '/orders/1001/more', '/settings/team'])
      expect(findDetail(href)).toBeNull();
  });
});
