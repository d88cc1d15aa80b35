/** What stands under the lines of a document: the sum, that it was paid, and what the law and the shop want said. */
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { TRANSFER } from '../domain/payments/method-name.ts';
import { BODY, type Drawing, GAP, INK, SMALL, STRONG, startBlock } from './drawing.ts';
import { PAGE } from './sheet.ts';
import type { TextStyle } from './typesetter.ts';
import type { Wording } from './wording.ts';

/** What may be kept together at the end: more would leave half of a page empty. */
const END_MAX = (PAGE.bottom - PAGE.top) / 2;

/** Of what stands under the lines and belongs to them: the sum, and what is said of it. A long footer may stand apart. */
export function measureEnd(drawing: Drawing): number {
  const totals = GAP.totals + measureTotals(drawing, toTotals(drawing));
  const notes = listNotes(drawing);
  const height = (all: readonly Note[]) => all.reduce((sum, note) => sum + measureNote(drawing, note), 0);
  const whole = totals + GAP.notes + height(notes);
  if (whole <= END_MAX) return whole;
  return totals + GAP.notes + height(notes.filter(({ style }) => style !== SMALL));
}

interface TotalRow {
  label: string;
  amount: string;
  isTotal?: boolean;
}

function toTotals({ snapshot, words }: Drawing): TotalRow[] {
  const { currency, net, taxes, total, kind } = snapshot;
  return [
    { label: words.text('net'), amount: words.money(net, currency) },
    ...taxes.map((tax) => ({
      label: words.text('taxOn', { tax: words.rateName(tax), amount: words.amount(tax.taxable, currency) }),
      amount: words.money(tax.amount, currency),
    })),
    {
      label: words.text(kind === 'invoice' ? 'total' : 'totalCredited'),
      amount: words.money(total, currency),
      isTotal: true,
    },
  ];
}

const SUM: TextStyle = { size: 11, weight: 'bold', color: INK };
const TOTALS = { label: { x: 254, width: 170 }, amount: { x: 428, width: PAGE.right - 428 } };
/** Above the sum, for its rule. */
const SUM_GAP = 9;

const styleOf = ({ isTotal }: TotalRow): TextStyle => (isTotal ? SUM : BODY);

function measureTotals({ sheet }: Drawing, rows: readonly TotalRow[]): number {
  return rows.reduce((sum, row) => {
    const heights = [
      sheet.measure(row.label, styleOf(row), TOTALS.label.width),
      sheet.measure(row.amount, styleOf(row), TOTALS.amount.width),
    ];
    return sum + Math.max(...heights) + 2 + (row.isTotal ? SUM_GAP : 0);
  }, 0);
}

export function drawTotals(drawing: Drawing, top: number): number {
  const { sheet } = drawing;
  const rows = toTotals(drawing);
  const { label, amount } = TOTALS;
  let y = startBlock(sheet, top, measureTotals(drawing, rows));
  sheet.within('Table', () => {
    for (const row of rows) {
      const style = styleOf(row);
      if (row.isTotal) {
        sheet.rule(y + 3, { from: label.x, color: '#9aa3b0' });
        y += SUM_GAP;
      }
      sheet.within('TR', () => {
        let end = y;
        sheet.within('TH', () => {
          end = sheet.write(row.label, style, { ...label, y });
        });
        sheet.within('TD', () => {
          end = Math.max(end, sheet.write(row.amount, { ...style, align: 'right' }, { ...amount, y }));
        });
        y = end + 2;
      });
    }
  });
  return y;
}

interface Note {
  text: string;
  style: TextStyle;
  /** Above it. */
  gap: number;
}

function listNotes({ snapshot, words }: Drawing): Note[] {
  const { sentences, discountName, footer } = snapshot;
  return [
    ...sentences.map((sentence) => ({ text: words.sentence(sentence), style: STRONG, gap: 0 })),
    { text: toPaidSentence(words, snapshot), style: BODY, gap: 0 },
    ...(discountName ? [{ text: words.text('discount', { name: discountName }), style: BODY, gap: 0 }] : []),
    ...(footer ? footer.split('\n') : []).map((text, index) => ({
      ...{ text, style: SMALL, gap: index === 0 ? GAP.footer : 0 },
    })),
  ];
}

const NOTE_WIDTH = PAGE.right - PAGE.left;
/** Below each. */
const NOTE_GAP = 4;

const measureNote = ({ sheet }: Drawing, { text, style, gap }: Note): number =>
  gap + sheet.measure(text, style, NOTE_WIDTH) + NOTE_GAP;

export function drawNotes(drawing: Drawing, top: number): void {
  const { sheet } = drawing;
  let y = top;
  for (const { text, style, gap } of listNotes(drawing)) {
    y = startBlock(sheet, y + gap, sheet.measure(text, style, NOTE_WIDTH));
    sheet.within('P', () => {
      y = sheet.write(text, style, { x: PAGE.left, y, width: NOTE_WIDTH }) + NOTE_GAP;
    });
  }
}

function toPaidSentence(words: Wording, snapshot: Snapshot): string {
  const { kind, paidAt, total, currency, creditReason } = snapshot;
  const date = words.day(paidAt);
  const method = snapshot.method && words.methodName(snapshot.method);
  if (kind === 'invoice') {
    return method === null ? words.text('paid', { date }) : words.text('paidBy', { date, method });
  }
  // A transfer is a way, and no place that money goes back to.
  const isToPlace = method !== null && snapshot.method?.type !== TRANSFER;
  const given = { date, amount: words.money(total, currency) };
  const reason = creditReason && words.text('creditReason', { reason: words.word('credit.', creditReason) });
  const sentence = isToPlace
    ? words.text('givenBackTo', { ...given, method })
    : words.text('givenBack', given);
  return [sentence, reason].filter(Boolean).join(' ');
}
