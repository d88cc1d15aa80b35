import { describe, expect, it } from 'vitest';
import { isReturnUrl } from './return-url.ts';
import { findSettingIssues, SETTINGS_DEFAULTS } from './settings.ts';

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
