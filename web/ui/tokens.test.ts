import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
const coloursOf = (text: string) => new Set((text.match(/#[0-9a-f]{6}\b/g) ?? []).sort());

// Mails bear no style sheet of ours, so that they repeat the colours; a change of one asks for the other.
it('lends mails every colour that they have', () => {
  const tokens = coloursOf(read('./styles/tokens.css'));
  const mails = coloursOf(read('../../server/src/domain/mails/html.ts'));
  expect([...mails].filter((colour) => !tokens.has(colour))).toEqual([]);
});
