import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { isEmail, parseEmail, toEmailNormal } from './email.ts';

/** A pattern that goes back over what it has read would take years: a busy machine tells nothing here. */
const NOT_FOR_EVER_MS = 20_000;

describe('isEmail', () => {
  it.each([
    'a@b.co',
    'ada.l+x@sub.example.com',
    "o'neil@example.ie",
    'ż@example.pl',
    '用户@例子.中国',
    'ada@straße.de',
    'a!b#c$d&e*f/g=h^i_j`k{l|m}n~o@example.com',
  ])('takes %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a b@c.de',
    'a@b..co',
    'a@b.co.',
    '.a@b.co',
    'a..b@b.co',
    'a@b.co,c@d.co',
    'x <a@b.co>',
    'a\n@b.co',
    'a@-b.co',
    'a@b-.co',
    'a@b_c.co',
    'a@1.2.3.4',
    'a@0x7f.1',
    'a@xn--zz.de',
    `a@${'b'.repeat(64)}.co`,
  ])('refuses %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it.each([
    ['two signs', 'ada@evil.example@example.com'],
    ['a quoted name', '"ada@evil.example"@example.com'],
    ['a percent route', 'ada%evil.example@example.com'],
    ['an encoded word', '=?utf-8?q?ada=40evil.example?=@example.com'],
    ['an address literal', 'ada@[10.0.0.1]'],
    ['a backslash', 'ada\\@evil.example@example.com'],
    ['a mark of direction', 'ada\u202e@example.com'],
    ['a zero-width space', 'ada\u200b@example.com'],
    ['a joiner of graphemes', 'ada\u034f@example.com'],
    ['a Hangul filler', 'ada\u3164@example.com'],
    ['a selector of variants', 'ada\ufe0f@example.com'],
    ['a filler in the domain', 'ada@exam\u115fple.com'],
    ['a zero-width space in the domain', 'ada@exam\u200bple.com'],
    ['a soft hyphen in the domain', 'ada@exam\u00adple.com'],
    ['a full-width domain', 'ada@ｅxample.com'],
    ['an ideographic full stop', 'ada@example。com'],
    ['a ligature in the domain', 'ada@ofﬁce.example'],
    ['a path behind the domain', 'ada@evil.example/example.com'],
    ['a control sign', 'ada\u0007@example.com'],
    ['a private sign', 'ada\ue000@example.com'],
  ])('Y04 refuses %s', (_name, text) => {
    expect(isEmail(text)).toBe(false);
  });

  it('ends at 254 characters, and before long on what is made to be slow', () => {
    expect(isEmail(`${'a'.repeat(242)}@example.com`)).toBe(true);
    expect(isEmail(`${'a'.repeat(243)}@example.com`)).toBe(false);
    const beganMs = performance.now();
    isEmail(`a@${'a.'.repeat(120)}@`);
    expect(performance.now() - beganMs).toBeLessThan(NOT_FOR_EVER_MS);
  });
});

/** Where a mail library would hand a mail for this address. */
async function findRecipient(address: string): Promise<string> {
  const transport = createTransport({ streamTransport: true });
  const { envelope } = await transport.sendMail({ from: 'us@example.com', to: { name: '', address } });
  return String(envelope.to[0]);
}

describe('parseEmail', () => {
  it('Y04 composes what was typed, and compares domains in punycode', () => {
    expect(parseEmail(' J\u030Cana@MU\u0308NCHEN.de ')).toEqual({
      address: 'J\u030Cana@M\u00DCNCHEN.de',
      normal: '\u01F0ana@xn--mnchen-3ya.de',
    });
    expect(toEmailNormal('ada@XN--mnchen-3ya.de')).toBe(toEmailNormal('ADA@mu\u0308nchen.de'));
  });

  it('Y04 takes nothing that a mail library sends elsewhere than it was stored for', async () => {
    const sign = fc.constantFrom(...'aZ09._-+=?%!@"<>[]\\ (),:;/\u0000\u00ad\u200b\u202eéßẞﬁｅ。İ用');
    const text = fc.array(sign, { maxLength: 12 }).map((signs) => signs.join(''));
    const typed = fc.tuple(text, text).map(([local, domain]) => `a${local}@${domain}b.example`);
    await fc.assert(
      fc.asyncProperty(typed, async (address) => {
        const parsed = parseEmail(address);
        if (parsed) expect(toEmailNormal(await findRecipient(parsed.address))).toBe(parsed.normal);
      }),
      { numRuns: 500 },
    );
  });
});

describe('toEmailNormal', () => {
  it('gives an address one normal form, whatever its case and however its letters are composed', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        const normal = toEmailNormal(email);
        expect(toEmailNormal(` ${email.toUpperCase()}\n`)).toBe(normal);
        expect(toEmailNormal(email.normalize('NFD'))).toBe(normal);
      }),
    );
    // Lower case may take a composed letter apart, or make one possible.
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const normal = toEmailNormal(text);
        expect(toEmailNormal(normal)).toBe(normal);
        expect(toEmailNormal(text.normalize('NFD'))).toBe(toEmailNormal(text.normalize('NFC')));
      }),
    );
    expect(toEmailNormal('J\u030C@example.com')).toBe(toEmailNormal('\u01F0@example.com'));
  });
});
