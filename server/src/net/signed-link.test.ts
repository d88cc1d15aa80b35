import { describe, expect, it } from 'vitest';
import { openLink, signLink } from './signed-link.ts';

const secret = 'ab'.repeat(32);
const terms = { purpose: 'download', opens: ['0192f0c0', 'b'], expiresAtMs: 1_000_000 };
const before = { purpose: 'download', nowMs: 999_999 };

describe('openLink', () => {
  it('opens what was signed until it expires', () => {
    const token = signLink(secret, terms);
    expect(token).toMatch(/^[\w.-]+$/);
    expect(openLink(secret, token, before)).toEqual({ kind: 'open', opens: terms.opens });
    expect(openLink(secret, token, { ...before, nowMs: 1_000_000 })).toEqual({ kind: 'expired' });
  });

  it('tells a forged token whatever was altered', () => {
    const [id = '', part = '', expiry = '', mac = ''] = signLink(secret, terms).split('.');
    const later = (2_000_000).toString(36);
    const altered = [
      [id.replace('0192', '0193'), part, expiry, mac],
      [`${id}b`, '', expiry, mac],
      [id, part, later, mac],
      [id, part, expiry, mac.slice(1)],
      [id, part, expiry, mac, 'x'],
      [id, part, expiry],
      [''],
    ];
    for (const parts of altered) {
      expect(openLink(secret, parts.join('.'), before)).toEqual({ kind: 'forged' });
    }
  });

  it('opens nothing for another purpose or under another secret', () => {
    const token = signLink(secret, terms);
    expect(openLink(secret, token, { ...before, purpose: 'invoice' })).toEqual({ kind: 'forged' });
    expect(openLink('cd'.repeat(32), token, before)).toEqual({ kind: 'forged' });
  });
});
