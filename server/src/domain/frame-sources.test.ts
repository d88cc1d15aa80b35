import { describe, expect, it } from 'vitest';
import { decideFraming, isFrameSource, isWithinSources } from './frame-sources.ts';

const LIVE = { testMode: false };
const rules = (authorizedDomains: string[], allowedOrigins: string[] = [], testMode = false) => ({
  authorizedDomains,
  allowedOrigins,
  testMode,
});

describe('isFrameSource', () => {
  it.each(['shop.example', 'https://shop.example', '*.shop.example', 'http://localhost:3000'])(
    'takes %s',
    (text) => expect(isFrameSource(text)).toBe(true),
  );

  it.each([
    '',
    '*',
    'https://',
    'shop.example/path',
    "shop.example; script-src 'none'",
    'ftp://shop.example',
  ])('refuses %s', (text) => expect(isFrameSource(text)).toBe(false));
});

describe('isWithinSources', () => {
  it.each([
    ['https://shop.example', ['shop.example'], true],
    ['https://shop.example', ['http://shop.example'], true],
    ['http://shop.example', ['https://shop.example'], false],
    ['shop.example', ['https://shop.example'], false],
    ['https://shop.example:8443', ['https://shop.example'], false],
    ['https://a.shop.example', ['*.shop.example'], true],
    ['*.a.shop.example', ['*.shop.example'], true],
    ['https://shop.example', ['*.shop.example'], false],
    ['*.shop.example', ['shop.example'], false],
    ['https://evilshop.example', ['*.shop.example'], false],
    ['https://other.example', [], false],
  ])('says of %s within %j: %s', (inner, sources, expected) => {
    expect(isWithinSources(inner, sources, LIVE)).toBe(expected);
  });

  it('lets pages of the own machine in, in test mode alone', () => {
    expect(isWithinSources('http://localhost:5173', [], { testMode: true })).toBe(true);
    expect(isWithinSources('http://127.0.0.2:5173', [], { testMode: true })).toBe(true);
    expect(isWithinSources('http://localhost:5173', [], LIVE)).toBe(false);
    expect(isWithinSources('http://localhost.example', [], { testMode: true })).toBe(false);
  });
});

describe('decideFraming', () => {
  it('names the setting, and the origin that asks where it is among them', () => {
    expect(decideFraming(rules(['shop.example']), 'https://shop.example')).toEqual({
      ancestors: ['shop.example'],
      origin: 'https://shop.example',
    });
    expect(decideFraming(rules(['shop.example']), 'https://other.example').origin).toBe(null);
  });

  it.each([null, '', 'null', 'https://shop.example/', 'https://u:p@shop.example', 'javascript:alert(1)'])(
    'tells nobody of %s',
    (asked) => expect(decideFraming(rules(['shop.example']), asked).origin).toBe(null),
  );

  it('is narrowed by what the checkout names, and not widened', () => {
    const narrowed = rules(['*.shop.example'], ['https://a.shop.example', 'https://elsewhere.example']);
    expect(decideFraming(narrowed, 'https://b.shop.example')).toEqual({
      ancestors: ['https://a.shop.example'],
      origin: null,
    });
    expect(decideFraming(narrowed, 'https://elsewhere.example').origin).toBe(null);
  });

  it('refuses everybody once all that it was narrowed to has left the setting', () => {
    expect(decideFraming(rules(['a.example'], ['b.example']), 'https://a.example')).toEqual({
      ancestors: [],
      origin: null,
    });
  });

  it('lets the very page of the own machine in, in test mode', () => {
    const { ancestors, origin } = decideFraming(rules([], [], true), 'http://127.0.0.2:4000');
    expect(origin).toBe('http://127.0.0.2:4000');
    expect(ancestors).toEqual(expect.arrayContaining(['http://localhost:*', 'http://127.0.0.2:4000']));
    expect(decideFraming(rules([]), 'http://localhost:4000')).toEqual({ ancestors: [], origin: null });
  });
});
