import { describe, expect, it } from 'vitest';
import { maskPersonal } from './mask-personal.ts';

describe('maskPersonal', () => {
  it.each([
    'ada.lovelace+shop@mail.example',
    'müller@bücher.example',
    '203.0.113.7',
    '2001:db8::7',
    '::1',
    'fe80:0:0:0:1:2:3:4',
    'sec_live_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd',
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmVk',
    'd41d8cd98f00b204e9800998ecf8427e',
    '2KxN8dQpW0mZr7TfYb3L.AbC',
  ])('takes out %s', (secret) => {
    const masked = maskPersonal(`it failed for ${secret} (again)`);
    expect(masked).toMatch(/^it failed for \S*\*\*\*\S* \(again\)$/);
    for (const part of secret.split('.')) if (part.length > 8) expect(masked).not.toContain(part);
  });

  it.each([
    'version 0.1.0 of 2026-11-23T14:05:07.123Z took 1.25 s',
    'at sendMail (file:///app/server/dist/main-Ab3.js:12:34)',
    'CREATE INDEX subscription_plan_changes_by_workspace_and_mode ON plan_changes USING btree (id)',
    '01989f2e-7c1b-7d2a-9f3e-1a2b3c4d5e6f',
  ])('leaves %s', (text) => expect(maskPersonal(text)).toBe(text));
});
