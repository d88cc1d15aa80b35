import { describe, expect, it } from 'vitest';
import { isReturnUrl } from './return-url.ts';
import { findSettingIssues, SETTINGS_DEFAULTS } from './settings.ts';
import { leadsIntoWeb } from './web-address.ts';

const ODD = ['https:shop.example', 'https:/shop.example', 'https:\\\\shop.example', 'javascript:alert(1)'];

describe('an address that only a parser takes for one', () => {
  it.each(ODD)('is no page of a shop and none to go back to: %s', (url) => {
    const branding = { ...SETTINGS_DEFAULTS.branding, termsUrl: url };
    const issues = findSettingIssues({ ...SETTINGS_DEFAULTS, redirectUrl: url, branding });
    expect(issues.map(({ path }) => path)).toEqual(['redirectUrl', 'branding.termsUrl']);
    expect(isReturnUrl(url, { testMode: true })).toBe(false);
  });

  it('is not one that begins as addresses do', () => {
    const settings = { ...SETTINGS_DEFAULTS, redirectUrl: 'HTTPS://shop.example/thanks?a=1' };
    expect(findSettingIssues(settings)).toEqual([]);
    expect(isReturnUrl('https://shop.example', { testMode: false })).toBe(true);
  });
});

describe('an address that a page shows something from', () => {
  it.each(['https://cdn.example/a.png', 'HTTP://cdn.example/a.png', '/files/1', 'a.png', 'a b:c.png'])(
    'leads into the web: %s',
    (text) => expect(leadsIntoWeb(text)).toBe(true),
  );

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://cdn.example/1',
    'https://user:word@cdn.example/a.png',
    '//user@cdn.example/a.png',
    'https://',
  ])('does not: %s', (text) => expect(leadsIntoWeb(text)).toBe(false));
});
