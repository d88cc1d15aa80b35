/** A letter of headings, facts and sentences as a PDF, such as the confirmation of what a buyer stated. */
import PDFDocument from 'pdfkit';
import { escapeMetadata } from './factur-x.ts';
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
  const at = new Date(letter.at);
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: letter.language,
    displayTitle: true,
    // pdfkit's own would be a standard font, which PDF/A has no room for: every text names its font.
    font: null as unknown as string,
    info: {
      ...{ Title: letter.title, Author: letter.from, Creator: 'Counterfoil', Producer: 'Counterfoil' },
      ...{ CreationDate: at, ModDate: at },
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  escapeMetadata(doc);
  draw(createSheet(doc, letter.title), letter);
  doc.end();
  return done;
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
