/** A letter of headings, facts and sentences as a PDF, such as the confirmation of what a buyer stated. */
import { openPdf } from './open-pdf.ts';
import { createSheet, PAGE, type Sheet } from './sheet.ts';
import type { TextStyle } from './typesetter.ts';

export interface PlainLetter {
  language: string;
  from: string;
  title: string;
  sentences: string[];
  facts: Array<{ label: string; value: string }>;
  /** Above everything, in test mode. */
  banner: string | null;
  /** Ms: the document is of that moment, however often it is drawn. */
  at: number;
}

const INK = '#1b2130';
const QUIET = '#5a6372';
const STYLES = {
  from: { size: 11, weight: 'bold', color: INK },
  banner: { size: 9, weight: 'bold', color: '#8a4b00' },
  title: { size: 20, weight: 'bold', color: INK },
  body: { size: 10, color: INK },
  label: { size: 8, weight: 'bold', color: QUIET },
} as const satisfies Record<string, TextStyle>;
const WIDTH = PAGE.right - PAGE.left;

export function renderPlainLetter(letter: PlainLetter): Promise<Uint8Array> {
  const { title, from: author, language, at } = letter;
  const { doc, finish } = openPdf({ title, author, language, at });
  draw(createSheet(doc, title), letter);
  return finish();
}

function draw(sheet: Sheet, { from, title, sentences, facts, banner }: PlainLetter): void {
  sheet.addPage();
  let y: number = PAGE.top;
  const put = (type: string, text: string, style: TextStyle, gap: number) => {
    if (y + sheet.measure(text, style, WIDTH) > PAGE.bottom) {
      sheet.addPage();
      y = PAGE.top;
    }
    sheet.within(type, () => {
      y = sheet.write(text, style, { x: PAGE.left, y, width: WIDTH }) + gap;
    });
  };
  if (banner !== null) put('P', banner, STYLES.banner, 10);
  put('P', from, STYLES.from, 22);
  put('H1', title, STYLES.title, 12);
  for (const sentence of sentences) put('P', sentence, STYLES.body, 8);
  y += 10;
  for (const { label, value } of facts) {
    put('P', label, STYLES.label, 1);
    for (const line of value.split('\n')) put('P', line, STYLES.body, 0);
    y += 9;
  }
}
