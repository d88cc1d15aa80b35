import { describe, expect, it } from 'vitest';
import { listReadings } from './encodings.ts';

const NAME = 'Zoë O’Brïen';
const asBase64 = (text: string) => Buffer.from(text).toString('base64');
const asUnicode = (text: string) =>
  text.replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('listReadings', () => {
  it.each([
    ['an address', encodeURIComponent(NAME)],
    ['a script', asUnicode(NAME)],
    ['a script of today', 'Zo\\u{eb} O\\u{2019}Br\\u{ef}en'],
    ['numbers in a page', 'Zo&#235; O&#x2019;Br&#xEF;en'],
    ['names in a page', 'Zo&euml; O&rsquo;Br&iuml;en'],
    ['base64', `say=${asBase64(NAME)}&of=1`],
    ['base64 for addresses', `say.${Buffer.from(`?>${NAME}`).toString('base64url')}.of`],
    ['base64 in lines', asBase64(`${'x'.repeat(50)} ${NAME}`).replace(/(.{60})/, '$1\r\n')],
    ['base64 that is cut off', asBase64(`${NAME}ë`).slice(0, -3)],
    ['hex', Buffer.from(NAME).toString('hex')],
    ['a page in base64', asBase64('<p>Zo&euml; O&rsquo;Br&iuml;en</p>')],
    ['a script in an address', encodeURIComponent(asUnicode(NAME))],
  ])('reads %s', (_name, text) => {
    expect(listReadings(text).some((read) => read.includes(NAME))).toBe(true);
  });

  it('reads nothing of what is plain, and nothing of chance', () => {
    expect(listReadings('ok')).toEqual([]);
    expect(listReadings('{"id": "018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f", "at": 1732804445123}')).toEqual([]);
    expect(listReadings('&toString; &constructor; &nothing; &')).toEqual([]);
  });
});
