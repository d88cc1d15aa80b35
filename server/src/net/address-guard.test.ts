import { describe, expect, it } from 'vitest';
import { createAddressGuard, toTarget } from './address-guard.ts';

const guard = createAddressGuard([]);

const REFUSED: Array<[string, string[]]> = [
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1']],
  ['link-local', ['169.254.0.1', 'fe80::1', 'fe80::1%eth0']],
  ['cloud metadata', ['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '192.0.0.192', '168.63.129.16']],
  ['unique local', ['fc00::1', 'fd12:3456::1']],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['IPv4 inside IPv6', ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1']],
  ['translated and tunnelled', ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001::1']],
  ['unspecified and broadcast', ['0.0.0.0', '::', '255.255.255.255']],
  ['multicast', ['224.0.0.1', 'ff02::1']],
  [
    'reserved and documentation',
    ['240.0.0.1', '192.0.2.1', '198.18.0.1', '2001:db8::1', '3fff::1', '5f00::1'],
  ],
  ['IPv6 that is not given out', ['4000::1', 'fec0::1', '100::1']],
  ['no address at all', ['', 'example.com', '127.0.0.1.example.com']],
];

describe('createAddressGuard', () => {
  it.each(REFUSED)('refuses %s', (_name, addresses) => {
    expect(addresses.filter((address) => guard.isAllowed(address))).toEqual([]);
  });

  it('lets public addresses pass', () => {
    const addresses = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001::1'];
    expect(addresses.filter((address) => !guard.isAllowed(address))).toEqual([]);
  });

  it('lets the networks of the setting pass, and their IPv4 addresses written as IPv6, and no others', () => {
    const opened = createAddressGuard(['127.0.0.0/8', 'fd00::/8']);
    expect(opened.isAllowed('127.0.0.1')).toBe(true);
    expect(opened.isAllowed('::ffff:127.0.0.1')).toBe(true);
    expect(opened.isAllowed('fd00::1')).toBe(true);
    expect(opened.isAllowed('10.0.0.1')).toBe(false);
    expect(opened.isAllowed('::1')).toBe(false);
    expect(opened.isAllowed('8.8.8.8')).toBe(true);
  });

  it('stops on a setting that is no network, naming it', () => {
    expect(() => createAddressGuard(['127.0.0.1/8', 'intranet'])).toThrow(
      /EGRESS_ALLOW_CIDRS holds "intranet"/,
    );
  });
});

describe('toTarget', () => {
  it.each([
    ['decimal', 'http://2130706433/'],
    ['hexadecimal', 'http://0x7f000001/'],
    ['octal', 'http://0177.0.0.1/'],
    ['short', 'http://127.1/'],
    ['mixed', 'http://0x7f.1/'],
    ['with a dot at the end', 'http://127.0.0.1./'],
    ['in full-width digits', 'http://１２７.0.0.1/'],
    ['IPv4-mapped', 'http://[::ffff:127.0.0.1]/'],
    ['percent-encoded', 'http://%31%32%37.0.0.1/'],
    ['IPv6 loopback', 'https://[::1]:8443/'],
  ])('refuses an address that is written %s', (_name, url) => {
    expect(toTarget(guard, url).kind).toBe('blocked');
  });

  it.each([
    ['a relative URL', '/hook'],
    ['no URL', 'not a url'],
    ['an address out of range', 'http://256.256.256.256/'],
    ['a file', 'file:///etc/passwd'],
    ['ftp', 'ftp://example.com/'],
    ['gopher', 'gopher://example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/plain,hello'],
    ['a scheme without slashes', 'http:1.2.3.4'],
    ['one slash', 'https:/example.com/'],
    ['slashes the wrong way', 'http:\\\\example.com\\hook'],
    ['port 0', 'http://example.com:0/hook'],
    ['a user name', 'http://user@example.com/'],
    ['a password', 'https://user:secret@example.com/'],
    ['a host hidden behind user info', 'http://example.com@127.0.0.1/'],
  ])('refuses %s', (_name, url) => {
    expect(toTarget(guard, url).kind).toBe('blocked');
  });

  it('leaves host names to the look-up and takes public addresses as they are', () => {
    expect(toTarget(guard, 'https://example.com/hook?a=1')).toMatchObject({ kind: 'ok', literal: null });
    expect(toTarget(guard, 'http://[2606:4700:4700::1111]/')).toMatchObject({
      kind: 'ok',
      literal: '2606:4700:4700::1111',
    });
  });
});
