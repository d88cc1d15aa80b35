/** The layout of an invoice or credit note: who, what, how much, and what the law wants said. */
import type { Party, Snapshot, SnapshotLine } from '../domain/invoicing/snapshot.ts';
import { PAGE, type Sheet } from './sheet.ts';
import type { DocumentKey } from './texts.ts';
import type { TextStyle } from './typesetter.ts';
import type { Wording } from './wording.ts';

const INK = '#1b2130';
const QUIET = '#5a6372';
const WARNING = '#8a4b00';

const BODY: TextStyle = { size: 9, color: INK };
const SMALL: TextStyle = { size: 8, color: QUIET };
const STRONG: TextStyle = { size: 9, weight: 'bold', color: INK };
const LABEL: TextStyle = { size: 7.5, weight: 'bold', color: QUIET };

const LOGO = { width: 170, height: 46 };
const COLUMN = { seller: 50, buyer: 225, facts: 395 };
const FOOTER_Y = 795;
/** Kept free under the last line of a page, so that a page never ends on a heading. */
const BREAK_Y = PAGE.bottom - 20;

/** What is drawn, on what, and in which words. */
interface Drawing {
  sheet: Sheet;
  snapshot: Snapshot;
  words: Wording;
}

export function drawDocument(drawing: Drawing, logo: Uint8Array | null): void {
  drawing.sheet.addPage();
  const headEnd = drawHead(drawing, logo);
  const partiesEnd = drawParties(drawing, headEnd + 26);
  const linesEnd = drawLines(drawing, partiesEnd + 28);
  const totalsEnd = drawTotals(drawing, linesEnd + 12);
  drawNotes(drawing, totalsEnd + 22);
  drawFooters(drawing);
}

function drawHead({ sheet, snapshot, words }: Drawing, logo: Uint8Array | null): number {
  const { seller, kind, number, testMode } = snapshot;
  let leftEnd: number = PAGE.top;
  if (logo) {
    sheet.picture(logo, { x: PAGE.left, y: PAGE.top, ...LOGO, alt: seller.name });
    leftEnd += LOGO.height;
  } else {
    sheet.within('P', () => {
      leftEnd = sheet.write(
        seller.name,
        { size: 14, weight: 'bold', color: INK },
        { x: PAGE.left, y: PAGE.top, width: 240 },
      );
    });
  }
  const right = { x: 310, width: PAGE.right - 310 };
  let y: number = PAGE.top - 5;
  sheet.within('H1', () => {
    const title = words.text(kind === 'invoice' ? 'invoice' : 'creditNote');
    y = sheet.write(title, { size: 22, weight: 'bold', color: INK, align: 'right' }, { ...right, y });
  });
  sheet.within('P', () => {
    y = sheet.write(number, { size: 10.5, color: QUIET, align: 'right' }, { ...right, y });
  });
  if (testMode) {
    sheet.within('P', () => {
      const style: TextStyle = { size: 8, weight: 'bold', color: WARNING, align: 'right' };
      y = sheet.write(words.text('testMode'), style, { ...right, y: y + 4 });
    });
  }
  return Math.max(leftEnd, y);
}

function drawParties(drawing: Drawing, top: number): number {
  const { seller, buyer } = drawing.snapshot;
  const ends = [
    drawParty(drawing, { party: seller, label: 'from', x: COLUMN.seller, top }),
    drawParty(drawing, { party: buyer, label: 'to', x: COLUMN.buyer, top }),
    drawFacts(drawing, top),
  ];
  return Math.max(...ends);
}

function drawParty(
  { sheet, words }: Drawing,
  { party, label, x, top }: { party: Party; label: DocumentKey; x: number; top: number },
): number {
  const width = 155;
  let y = top;
  sheet.within('Sect', () => {
    const put = (text: string, style: TextStyle) => {
      sheet.within('P', () => {
        y = sheet.write(text, style, { x, y, width });
      });
    };
    put(words.text(label), LABEL);
    y += 2;
    put(party.name, STRONG);
    for (const line of words.addressLines(party)) put(line, BODY);
    if (party.email && party.email !== party.name) put(party.email, BODY);
    if (party.taxNumber) put(words.text('taxNumber', { number: party.taxNumber }), BODY);
    if (party.registrationNumber) {
      put(words.text('registration', { number: party.registrationNumber }), BODY);
    }
  });
  return y;
}

function drawFacts({ sheet, snapshot, words }: Drawing, top: number): number {
  const { kind, number, finalisedAt, paidAt, orderNumber, paymentNumber, refersTo } = snapshot;
  const isInvoice = kind === 'invoice';
  const facts: Array<[DocumentKey, string]> = [
    [isInvoice ? 'invoiceNumber' : 'creditNoteNumber', number],
    [isInvoice ? 'invoiceDate' : 'date', words.day(finalisedAt)],
    [isInvoice ? 'supplyDate' : 'refundedOn', words.day(paidAt)],
    ...(refersTo ? [['forInvoice', toReference(words, refersTo)] as [DocumentKey, string]] : []),
    ['order', orderNumber],
    ...(paymentNumber === orderNumber ? [] : [['payment', paymentNumber] as [DocumentKey, string]]),
  ];
  let y = top;
  const x = COLUMN.facts;
  const width = PAGE.right - x;
  sheet.within('Sect', () => {
    for (const [label, value] of facts) {
      sheet.within('P', () => {
        y = sheet.write(words.text(label), LABEL, { x, y, width });
        y = sheet.write(value, BODY, { x, y, width }) + 3;
      });
    }
  });
  return y;
}

function toReference(words: Wording, { number, finalisedAt }: { number: string; finalisedAt: number }) {
  return words.text('invoiceOf', { number, date: words.day(finalisedAt) });
}

interface Column {
  x: number;
  width: number;
  align?: 'right';
}

type ColumnName = 'name' | 'quantity' | 'price' | 'discount' | 'rate' | 'net' | 'total';

/** The amounts share what the description leaves; long ones wrap rather than run into each other. */
const COLUMNS: Record<ColumnName, Column> = {
  name: { x: 50, width: 160 },
  quantity: { x: 214, width: 34, align: 'right' },
  price: { x: 254, width: 68, align: 'right' },
  discount: { x: 328, width: 52, align: 'right' },
  rate: { x: 386, width: 40, align: 'right' },
  net: { x: 430, width: 55, align: 'right' },
  total: { x: 489, width: 56.28, align: 'right' },
};

function drawLines(drawing: Drawing, top: number): number {
  const { sheet, snapshot } = drawing;
  let y = top;
  sheet.within('Table', () => {
    y = drawTableHead(drawing, y);
    for (const line of snapshot.lines) {
      const row = toRow(drawing, line);
      const height = measureRow(sheet, row);
      if (y + height > BREAK_Y) {
        sheet.addPage();
        y = drawTableHead(drawing, PAGE.top);
      }
      drawRow(sheet, row, y + 5);
      y += height;
      sheet.rule(y);
    }
  });
  return y;
}

function drawTableHead({ sheet, snapshot, words }: Drawing, y: number): number {
  sheet.within('TR', () => {
    for (const [name, column] of Object.entries(COLUMNS)) {
      const text = words.text(`column.${name as ColumnName}`);
      const title = name === 'total' ? `${text} ${snapshot.currency}` : text;
      sheet.within('TH', () => {
        sheet.write(title, { ...LABEL, align: column.align ?? 'left' }, { ...column, y });
      });
    }
  });
  const end = y + 15;
  sheet.rule(end, { color: '#9aa3b0' });
  return end;
}

type Cells = Record<Exclude<ColumnName, 'name'>, string>;

interface Row {
  name: string;
  /** What stands under the name, in small. */
  details: string[];
  cells: Cells;
}

function toRow({ snapshot, words }: Drawing, line: SnapshotLine): Row {
  const { currency, refersTo } = snapshot;
  const { detail, periodStart, periodEnd } = line;
  const period =
    periodStart !== null && periodEnd !== null ? `${words.day(periodStart)} – ${words.day(periodEnd)}` : null;
  const inclusive = line.inclusive ? words.text('inclusive') : null;
  return {
    name: words.lineName(line.name, refersTo),
    details: [detail, period, inclusive].filter((text) => text !== null),
    cells: {
      quantity: String(line.quantity),
      price: words.amount(line.unitPrice, currency),
      discount: line.discount === 0 ? '' : words.amount(-line.discount, currency),
      rate: line.rates.map(words.percent).join(' + '),
      net: words.amount(line.net, currency),
      total: words.amount(line.total, currency),
    },
  };
}

function measureRow(sheet: Sheet, { name, details, cells }: Row): number {
  const { width } = COLUMNS.name;
  const nameHeight = details.reduce(
    (sum, text) => sum + sheet.measure(text, SMALL, width),
    sheet.measure(name, BODY, width),
  );
  const heights = Object.entries(cells).map(([key, text]) =>
    sheet.measure(text, BODY, COLUMNS[key as keyof Cells].width),
  );
  return Math.max(nameHeight, ...heights) + 10;
}

function drawRow(sheet: Sheet, { name, details, cells }: Row, y: number): void {
  sheet.within('TR', () => {
    sheet.within('TD', () => {
      let nameY = sheet.write(name, BODY, { ...COLUMNS.name, y });
      for (const text of details) nameY = sheet.write(text, SMALL, { ...COLUMNS.name, y: nameY });
    });
    for (const [key, text] of Object.entries(cells)) {
      const column = COLUMNS[key as keyof Cells];
      sheet.within('TD', () => {
        sheet.write(text, { ...BODY, align: 'right' }, { ...column, y });
      });
    }
  });
}

function drawTotals({ sheet, snapshot, words }: Drawing, top: number): number {
  const { currency, net, taxes, total, kind } = snapshot;
  const rows: Array<{ label: string; amount: string; isTotal?: boolean }> = [
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
  const label = { x: 254, width: 170 };
  const amount = { x: 428, width: PAGE.right - 428 };
  let y = startBlock(sheet, top, rows.length * 18 + 10);
  sheet.within('Table', () => {
    for (const row of rows) {
      const style: TextStyle = row.isTotal ? { size: 11, weight: 'bold', color: INK } : BODY;
      if (row.isTotal) {
        sheet.rule(y + 3, { from: label.x, color: '#9aa3b0' });
        y += 9;
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

function drawNotes({ sheet, snapshot, words }: Drawing, top: number): void {
  const width = PAGE.right - PAGE.left;
  let y = top;
  const put = (text: string, style: TextStyle) => {
    y = startBlock(sheet, y, sheet.measure(text, style, width));
    sheet.within('P', () => {
      y = sheet.write(text, style, { x: PAGE.left, y, width }) + 4;
    });
  };
  for (const sentence of snapshot.sentences) put(words.sentence(sentence), STRONG);
  put(toPaidSentence(words, snapshot), BODY);
  if (snapshot.discountName) put(words.text('discount', { name: snapshot.discountName }), BODY);
  if (snapshot.footer) {
    y += 8;
    for (const paragraph of snapshot.footer.split('\n')) put(paragraph, SMALL);
  }
}

function toPaidSentence(words: Wording, snapshot: Snapshot): string {
  const { kind, paidAt, total, currency, creditReason } = snapshot;
  const date = words.day(paidAt);
  const method = snapshot.method && words.methodName(snapshot.method);
  if (kind === 'invoice') {
    return method === null ? words.text('paid', { date }) : words.text('paidBy', { date, method });
  }
  const given = { date, amount: words.money(total, currency) };
  const reason = creditReason && words.text('creditReason', { reason: words.word('credit.', creditReason) });
  const sentence =
    method === null ? words.text('givenBack', given) : words.text('givenBackTo', { ...given, method });
  return [sentence, reason].filter(Boolean).join(' ');
}

/** Where a block of this height begins: here, or on a new page. */
function startBlock(sheet: Sheet, y: number, height: number): number {
  if (y + height <= PAGE.bottom) return y;
  sheet.addPage();
  return PAGE.top;
}

/** The pages' feet are drawn last, when their number is known. */
function drawFooters({ sheet, snapshot: { number, seller }, words }: Drawing): void {
  const { start, count } = sheet.doc.bufferedPageRange();
  const style: TextStyle = { size: 7.5, color: QUIET };
  for (let page = start; page < start + count; page += 1) {
    sheet.doc.switchToPage(page);
    sheet.rule(FOOTER_Y - 8);
    const box = { y: FOOTER_Y, width: 300 };
    sheet.writeAside(`${seller.name} · ${number}`, style, { ...box, x: PAGE.left });
    const place = words.text('page', { page: String(page + 1), count: String(count) });
    sheet.writeAside(place, { ...style, align: 'right' }, { ...box, x: PAGE.right - 300 });
  }
}
