import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

describe('Y14 TRUST_PROXY', () => {
  it('is a list of addresses, networks and loopback', () => {
    const list = '10.0.0.7, 10.1.0.0/16,loopback ,2001:db8::1, 2001:db8::/32';
    expect(parseConfig({ TRUST_PROXY: list }).trustProxy).toEqual([
      '10.0.0.7',
      '10.1.0.0/16',
      'loopback',
      '2001:db8::1',
      '2001:db8::/32',
    ]);
    expect(parseConfig({}).trustProxy).toEqual([]);
  });

  it.each([
    'true',
    'false',
    '1',
    '2',
    'all',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/8/8',
    'proxy.example',
  ])('%s stops the start with a line that names it', (value) => {
    const parse = () => parseConfig({ TRUST_PROXY: value });
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow(/^TRUST_PROXY .*addresses and networks/);
    expect(() => parseConfig({ TRUST_PROXY: `loopback,${value}` })).toThrow(ConfigError);
  });
});

describe('NAME_PREFIX_ALIASES', () => {
  it('is a list of names', () => {
    expect(parseConfig({ NAME_PREFIX_ALIASES: 'abc, Xyz' }).nameAliases).toEqual(['abc', 'xyz']);
    expect(parseConfig({}).nameAliases).toEqual([]);
    expect(() => parseConfig({ NAME_PREFIX_ALIASES: 'a b' })).toThrow(/^NAME_PREFIX_ALIASES/);
    expect(() => parseConfig({ NAME_PREFIX_ALIASES: 'abc-' })).toThrow(ConfigError);
  });
});
