import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toEmailNormal } from './users.queries.ts';

it('gives an e-mail one normal form, whatever its case and however its letters are composed', () => {
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
