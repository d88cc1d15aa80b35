import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';
import { createAddressGuard } from './net/address-guard.ts';

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

describe('EGRESS_ALLOW_CIDRS', () => {
  it('is a list of networks, of all addresses too', () => {
    const list = '127.0.0.0/8, 10.1.2.3/32,fd00::/8,0.0.0.0/0';
    const networks = ['127.0.0.0/8', '10.1.2.3/32', 'fd00::/8', '0.0.0.0/0'];
    expect(parseConfig({ EGRESS_ALLOW_CIDRS: list }).egressAllowCidrs).toEqual(networks);
    for (const network of networks) expect(() => createAddressGuard([network])).not.toThrow();
    expect(parseConfig({}).egressAllowCidrs).toEqual([]);
  });

  it.each(['127.0.0.1', 'localhost', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0/8'])(
    'O48 %s stops the start with a line that names it',
    (value) => {
      const parse = () => parseConfig({ EGRESS_ALLOW_CIDRS: `127.0.0.0/8,${value}` });
      expect(parse).toThrow(ConfigError);
      expect(parse).toThrow(`EGRESS_ALLOW_CIDRS must list networks such as 10.1.0.0/16, not "${value}"`);
    },
  );
});

it.each(['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])('%s without OIDC_ISSUER stops the start', (name) => {
  const parse = () => parseConfig({ [name]: 'open-sesame' });
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow('need OIDC_ISSUER');
  expect(parse).not.toThrow('open-sesame');
});

describe('NAME_PREFIX_ALIASES', () => {
  it('is a list of names', () => {
    expect(parseConfig({ NAME_PREFIX_ALIASES: 'abc, Xyz' }).nameAliases).toEqual(['abc', 'xyz']);
    expect(parseConfig({}).nameAliases).toEqual([]);
    expect(() => parseConfig({ NAME_PREFIX_ALIASES: 'a b' })).toThrow(/^NAME_PREFIX_ALIASES/);
    expect(() => parseConfig({ NAME_PREFIX_ALIASES: 'abc-' })).toThrow(ConfigError);
  });
});

it.each([
  ['all', 20],
  ['api', 10],
  ['worker', 14],
])('DATABASE_CONNECTIONS_MAX of ROLE=%s is %i unless it is set', (ROLE, unset) => {
  expect(parseConfig({ ROLE }).databaseConnectionsMax).toBe(unset);
  expect(parseConfig({ ROLE, DATABASE_CONNECTIONS_MAX: '7' }).databaseConnectionsMax).toBe(7);
  expect(() => parseConfig({ ROLE, DATABASE_CONNECTIONS_MAX: '1' })).toThrow('from 2 to 1000, not "1"');
});

describe('the account of Stripe that is named', () => {
  const pair = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

  it('is a pair of keys, or none', () => {
    expect(parseConfig({}).stripeKeys).toBeNull();
    expect(parseConfig(pair).stripeKeys).toEqual({ secretKey: 'sk_test_1', publishableKey: 'pk_test_1' });
  });

  it.each(Object.keys(pair))('without %s stops the start, and repeats no key', (name) => {
    const parse = () => parseConfig({ ...pair, [name]: '' });
    expect(parse).toThrow('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are a pair');
    expect(parse).not.toThrow(/_test_/);
  });

  it.each([
    ['foo', 'pk_test_1', 'STRIPE_SECRET_KEY'],
    ['pk_test_1', 'sk_test_1', 'STRIPE_SECRET_KEY'],
    ['sk_live_1', 'pk_test_1', 'STRIPE_PUBLISHABLE_KEY'],
    ['rk_test_1', 'bar', 'STRIPE_PUBLISHABLE_KEY'],
  ])('%s beside %s stops the start, and repeats no key', (secretKey, publishableKey, name) => {
    const parse = () => parseConfig({ STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey });
    expect(parse).toThrow(`${name} must begin with`);
    expect(parse).not.toThrow(/_1/);
  });
});

describe('O48 a region', () => {
  it.each(['a b', 'eu/west', 'é'])('%s is refused, with a bucket or without', (region) => {
    expect(() => parseConfig({ AWS_REGION: region })).toThrow(`AWS_REGION must be a name`);
  });
});

describe('O48 what other addresses begin with', () => {
  it('is refused with a space in it', () => {
    const parse = () => parseConfig({ VIES_URL: 'https://vies.example/a b' });
    expect(parse).toThrow('VIES_URL must be an http(s) URL');
  });

  it.each(['?a=b', '#top', '?', '#'])('is refused with %s behind its path', (end) => {
    const parse = () => parseConfig({ PUBLIC_URL: `https://shop.example/pay${end}` });
    expect(parse).toThrow(ConfigError);
    expect(parse).toThrow('PUBLIC_URL must end with its path');
  });

  it('is refused with a path: no page of it would be found there', () => {
    const parse = () => parseConfig({ PUBLIC_URL: 'https://shop.example/pay/' });
    expect(parse).toThrow(
      'PUBLIC_URL must be a host of its own without a path, not "https://shop.example/pay"',
    );
    expect(parseConfig({ VIES_URL: 'https://shop.example/pay' }).viesUrl).toBe('https://shop.example/pay');
  });

  it('is refused with a user in it, and the password is not told', () => {
    for (const name of ['PUBLIC_URL', 'VIES_URL', 'PAYPAL_API_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT']) {
      const parse = () => parseConfig({ [name]: 'https://ada:open-sesame@shop.example' });
      expect(parse).toThrow(`${name} must hold no user and no password`);
      expect(parse).not.toThrow('open-sesame');
    }
    expect(parseConfig({ PUBLIC_URL: 'https://shop.example/' }).publicUrl).toBe('https://shop.example');
  });
});

it.each(['https://ada@shop.example/', 'ada', 'ada@', 'Ada <ada@shop.example>', 'a@b@c.example'])(
  'MAIL_FROM=%s is no address, and stops the start',
  (value) => {
    expect(() => parseConfig({ MAIL_FROM: value })).toThrow('MAIL_FROM must be an e-mail address alone');
  },
);

it('MAIL_FROM may be of this machine, or of a host without a dot', () => {
  for (const value of ['no-reply@localhost', 'shop@mail'])
    expect(parseConfig({ MAIL_FROM: value }).mailFrom).toBe(value);
});

it('METRICS_TOKEN has at least 8 characters, and is not told back', () => {
  const parse = () => parseConfig({ METRICS_TOKEN: 'gu3ssed' });
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow('METRICS_TOKEN must have at least 8 characters');
  expect(parse).not.toThrow('gu3ssed');
  expect(parseConfig({ METRICS_TOKEN: 'not-gu3ssed' }).metricsToken).toBe('not-gu3ssed');
});

it.each(['MIGRATE_DATABASE_URL', 'REPORTS_DATABASE_URL'])('%s stands beside DATABASE_URL alone', (name) => {
  const other = { [name]: 'postgres://shop@db/shop' };
  expect(() => parseConfig(other)).toThrow(ConfigError);
  expect(() => parseConfig(other)).toThrow(`${name} needs DATABASE_URL`);
  expect(parseConfig({ ...other, DATABASE_URL: 'postgres://shop@pooler/shop' }).databaseUrl).not.toBeNull();
});
