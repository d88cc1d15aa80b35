import { describe, expect, it } from 'vitest';
import { toAddressKey } from './client-address.ts';

describe('toAddressKey', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50123', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('Y14 takes %s as %s', (address, key) => {
    expect(toAddressKey(address)).toBe(key);
  });

  it('Y14 takes the addresses of one IPv6 /64 as one, and its neighbour as another', () => {
    const one = toAddressKey('2001:db8:aa:bb::1');
    expect(toAddressKey('2001:db8:aa:bb:ffff:ffff:ffff:ffff')).toBe(one);
    expect(toAddressKey('2001:db8:aa:bc::1')).not.toBe(one);
  });

  it('counts what is no address as it is written, cut to a bounded length', () => {
    expect(toAddressKey('unknown')).toBe('unknown');
    expect(toAddressKey('x:'.repeat(500))).toHaveLength(64);
  });
});
