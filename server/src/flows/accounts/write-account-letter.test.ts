import { describe, expect, it } from 'vitest';
import { ACCOUNT_MAIL_KINDS } from '../../resources/accounts/account-mails.queries.ts';
import { writeAccountLetter } from './write-account-letter.ts';

const FACTS = {
  workspaceName: 'Nebula <b>',
  inviterName: 'Ada',
  step: 'suspended',
  atMs: Date.UTC(2026, 10, 22),
  failures: 10,
  ipAddress: '203.0.113.7',
  operation: 'enrolTotp',
  by: 'sweep',
};
const write = (kind: (typeof ACCOUNT_MAIL_KINDS)[number], language: string) =>
  writeAccountLetter({
    kind,
    language,
    url: 'https://shop.example/dashboard/link#token',
    params: FACTS,
    publicUrl: 'https://shop.example',
  });

describe('a letter to an account', () => {
  it.each(ACCOUNT_MAIL_KINDS)('is written in both languages, with its link: %s', (kind) => {
    const [en, de] = [write(kind, 'en'), write(kind, 'de')];
    expect(en.subject).not.toBe(de.subject);
    for (const { plain, html, subject } of [en, de]) {
      expect(plain).toContain('https://shop.example/dashboard/link#token');
      expect(html).not.toContain('<b>');
      expect(`${subject}${plain}`).not.toMatch(/undefined|null|\s{3}/);
    }
    expect(de.html).toContain('lang="de"');
  });

  it('is English in a language that we do not write', () => {
    expect(write('link', 'fr')).toEqual(write('link', 'en'));
  });
});
