import { describe, expect, it } from 'vitest';
import { suggestEmail } from './suggest-email.ts';

describe('an address with a slip in its host', () => {
  it.each([
    ['Ada.L@gmial.com', 'Ada.L@gmail.com'],
    ['ada@gmail.co', 'ada@gmail.com'],
    ['ada@gmaill.com', 'ada@gmail.com'],
    ['ada@gnail.com', 'ada@gmail.com'],
    ['ada@wbe.de', 'ada@web.de'],
    [' ada@HOTMIAL.com ', 'ada@hotmail.com'],
  ])('%s was meant as %s', (typed, meant) => {
    expect(suggestEmail(typed)).toBe(meant);
  });

  it.each([
    'ada@gmail.com',
    'ada@gmx.net',
    'ada@example.com',
    'ada@mail.com',
    'ada',
    'ada@',
    '@gmial.com',
    '',
  ])('%s is left alone', (typed) => {
    expect(suggestEmail(typed)).toBeNull();
  });
});
