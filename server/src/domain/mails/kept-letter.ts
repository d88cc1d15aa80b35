/**
 * A mail as it is kept: the letter, of which HTML and plain text are made whenever they are read. The HTML alone is ten times as
 * long, and most of it is the same in every mail. Letters outlive the version that wrote them: what is added to `Letter`
 * later may be missing in them.
 */
import { toHtml } from './html.ts';
import type { Letter } from './letter.ts';
import { unpackLetter } from './packed-letter.ts';
import { toPlainText } from './plain.ts';

export interface KeptTexts {
  /** The letter, packed or as JSON; null = not written yet, let go, or written before letters were kept. */
  letter: string | null;
  /** Of before letters were kept, as `plain`. */
  html: string | null;
  plain: string | null;
}

export function keepLetter(letter: Letter): string {
  return JSON.stringify(letter);
}

/** Of the JSON of a letter. */
export function makeTexts(letter: string): { html: string; plain: string } {
  // As `keepLetter` wrote it.
  const kept = JSON.parse(letter) as Letter;
  return { html: toHtml(kept), plain: toPlainText(kept) };
}

/** What is read of a mail; null where it is not written yet, or has been let go. */
export function toTexts({ letter, html, plain }: KeptTexts): Pick<KeptTexts, 'html' | 'plain'> {
  return letter === null ? { html, plain } : makeTexts(unpackLetter(letter));
}
