import { describe, expect, it } from 'vitest';
import {
  changeSettings,
  findSettingIssues,
  normaliseSettings,
  SETTINGS_DEFAULTS,
  toSettings,
  toStored,
} from './settings.ts';

describe('stored settings', () => {
  it('are only those that differ from the default, and read back whole', () => {
    expect(toStored(SETTINGS_DEFAULTS)).toEqual({});
    const changed = changeSettings(SETTINGS_DEFAULTS, {
      seller: { city: 'Berlin' },
      dunning: { end: 'canceled' },
      graceDays: 3,
      registrations: [{ country: 'DE', region: null, number: null }],
    });
    const stored = toStored(changed);
    expect(Object.keys(stored).sort()).toEqual(['dunning', 'graceDays', 'registrations', 'seller']);
    expect(stored.seller).toEqual({ city: 'Berlin' });
    expect(toSettings(stored)).toEqual(changed);
    expect(toStored(changeSettings(changed, { ...SETTINGS_DEFAULTS }))).toEqual({});
  });

  it('of today take up a setting that comes to be tomorrow', () => {
    expect(toSettings({ seller: { name: 'Nebula' } })).toEqual({
      ...SETTINGS_DEFAULTS,
      seller: { ...SETTINGS_DEFAULTS.seller, name: 'Nebula' },
    });
  });
});

describe('a site that may frame the checkout', () => {
  const issuesOf = (domain: string) =>
    findSettingIssues(normaliseSettings({ ...SETTINGS_DEFAULTS, authorizedDomains: [domain] }));

  it.each([
    'https://shop.example',
    'HTTPS://Shop.Example/',
    'http://localhost:5173',
    'https://*.shop.example',
    'shop.example',
    'http://127.0.0.1:8080',
    'xn--bcher-kva.example',
  ])('is %s', (domain) => expect(issuesOf(domain)).toEqual([]));

  // Each of these would end the directive of the policy, widen it, or never match.
  it.each([
    "'none'; script-src *",
    'https://a.example https://b.example',
    '*',
    'https://',
    'https://shop.example/path',
    'https://user:pw@shop.example',
    'javascript:alert(1)',
    'data:',
    "'self'",
    'https://shop.example,',
    'ftp://shop.example',
    '-shop.example',
    'shop.example:999999',
  ])('is not %s', (domain) => expect(issuesOf(domain)[0]?.path).toBe('authorizedDomains.0'));
});
