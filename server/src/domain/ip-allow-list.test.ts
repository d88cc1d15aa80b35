import { describe, expect, test } from 'vitest';
import { isFromNetworks, toNetworks } from './ip-allow-list.ts';

describe('the networks of a key pair', () => {
  test('are kept in one spelling, each once', () => {
    expect(toNetworks(['203.0.113.0/24', ' 203.0.113.0/24', '198.51.100.7', '2001:DB8::/32'])).toEqual([
      '203.0.113.0/24',
      '198.51.100.7/32',
      '2001:db8::/32',
    ]);
  });

  test.each(['', '203.0.113', '203.0.113.0/33', 'example.com', '1/8', '0x7f.1/8'])('are not "%s"', (text) => {
    expect(() => toNetworks([text])).toThrow('ipAllowList.0');
  });

  test('let in who comes from one of them, as IPv4 within IPv6 too', () => {
    const networks = ['203.0.113.0/24', '2001:db8::/32'];
    expect(isFromNetworks('203.0.113.9', networks)).toBe(true);
    expect(isFromNetworks('::ffff:203.0.113.9', networks)).toBe(true);
    expect(isFromNetworks('2001:db8:1::1', networks)).toBe(true);
    expect(isFromNetworks('203.0.114.9', networks)).toBe(false);
    expect(isFromNetworks('2001:db9::1', networks)).toBe(false);
    expect(isFromNetworks('unknown', networks)).toBe(false);
  });
});
