/** The layout of an invoice or credit note: who, what, how much, and what the law wants said. */
import type { Party, Snapshot, SnapshotLine } from '../domain/invoicing/snapshot.ts';
import { PAGE, type Sheet } from './sheet.ts';
import type { TextStyle } from './typesetter.ts';
import {
  toAddressLines,
  toAmount,
  toCreditReason,
  toDay,
  toMethodName,
  toMoney,
  toPercent,
  toRateName,
} from './wording.ts';

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

export function drawDocument(sheet: Sheet, snapshot: Snapshot, logo: Uint8Array | null): void {
  sheet.addPage();
  const headEnd = drawHead(sheet, snapshot, logo);
  const partiesEnd = drawParties(sheet, snapshot, headEnd + 26);
  const linesEnd = drawLines(sheet, snapshot, partiesEnd + 28);
  const totalsEnd = drawTotals(sheet, snapshot, linesEnd + 12);
  drawNotes(sheet, snapshot, totalsEnd + 22);
  drawFooters(sheet, snapshot);
}

function drawHead(sheet: Sheet, snapshot: Snapshot, logo: Uint8Array | null): number {
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
    const title = kind === 'invoice' ? 'Invoice' : 'Credit note';
    y = sheet.write(title, { size: 22, weight: 'bold', color: INK, align: 'right' }, { ...right, y });
  });
  sheet.within('P', () => {
    y = sheet.write(number, { size: 10.5, color: QUIET, align: 'right' }, { ...right, y });
  });
  if (testMode) {
    sheet.within('P', () => {
      const style: TextStyle = { size: 8, weight: 'bold', color: WARNING, align: 'right' };
      y = sheet.write('Test mode: no money moved, no tax document', style, { ...right, y: y + 4 });
    });
  }
  return Math.max(leftEnd, y);
}

function drawParties(sheet: Sheet, snapshot: Snapshot, top: number): number {
  const { seller, buyer } = snapshot;
  const ends = [
    drawParty(sheet, { party: seller, label: 'From', x: COLUMN.seller, top }),
    drawParty(sheet, { party: buyer, label: 'Billed to', x: COLUMN.buyer, top }),
    drawFacts(sheet, snapshot, top),
  ];
  return Math.max(...ends);
}

function drawParty(
  sheet: Sheet,
  { party, label, x, top }: { party: Party; label: string; x: number; top: number },
): number {
  const width = 155;
  let y = top;
  sheet.within('Sect', () => {
    const put = (text: string, style: TextStyle) => {
      sheet.within('P', () => {
        y = sheet.write(text, style, { x, y, width });
      });
    };
    put(label, LABEL);
    y += 2;
    put(party.name, STRONG);
    for (const line of toAddressLines(party)) put(line, BODY);
    if (party.email && party.email !== party.name) put(party.email, BODY);
    if (party.taxNumber) put(`Tax number: ${party.taxNumber}`, BODY);
    if (party.registrationNumber) put(`Registration: ${party.registrationNumber}`, BODY);
  });
  return y;
}

function drawFacts(sheet: Sheet, snapshot: Snapshot, top: number): number {
  const { kind, number, finalisedAt, paidAt, orderNumber, paymentNumber, refersTo } = snapshot;
  const isInvoice = kind === 'invoice';
  const facts: Array<[string, string]> = [
    [isInvoice ? 'Invoice number' : 'Credit note number', number],
    [isInvoice ? 'Invoice date' : 'Date', toDay(finalisedAt)],
    [isInvoice ? 'Date of supply' : 'Refunded on', toDay(paidAt)],
    ...(refersTo
      ? [['For invoice', `${refersTo.number} of ${toDay(refersTo.finalisedAt)}`] as [string, string]]
      : []),
    ['Order', orderNumber],
    ...(paymentNumber === orderNumber ? [] : [['Payment', paymentNumber] as [string, string]]),
  ];
  let y = top;
  const x = COLUMN.facts;
  const width = PAGE.right - x;
  sheet.within('Sect', () => {
    for (const [label, value] of facts) {
      sheet.within('P', () => {
        y = sheet.write(label, LABEL, { x, y, width });
        y = sheet.write(value, BODY, { x, y, width }) + 3;
      });
    }
  });
  return y;
}

interface Column {
  title: string;
  x: number;
  width: number;
  align?: 'right';
}

/** The amounts share what the description leaves; long ones wrap rather than run into each other. */
const COLUMNS: Record<'name' | 'quantity' | 'price' | 'discount' | 'rate' | 'net' | 'total', Column> = {
  name: { title: 'Description', x: 50, width: 160 },
  quantity: { title: 'Qty', x: 214, width: 34, align: 'right' },
  price: { title: 'Unit price', x: 254, width: 68, align: 'right' },
  discount: { title: 'Discount', x: 328, width: 52, align: 'right' },
  rate: { title: 'Tax', x: 386, width: 40, align: 'right' },
  net: { title: 'Net', x: 430, width: 55, align: 'right' },
  total: { title: 'Total', x: 489, width: 56.28, align: 'right' },
};

function drawLines(sheet: Sheet, snapshot: Snapshot, top: number): number {
  let y = top;
  sheet.within('Table', () => {
    y = drawTableHead(sheet, snapshot, y);
    for (const line of snapshot.lines) {
      const cells = toCells(line, snapshot.currency);
      const height = measureRow(sheet, line, cells);
      if (y + height > BREAK_Y) {
        sheet.addPage();
        y = drawTableHead(sheet, snapshot, PAGE.top);
      }
      drawRow(sheet, { line, cells, y: y + 5 });
      y += height;
      sheet.rule(y);
    }
  });
  return y;
}

function drawTableHead(sheet: Sheet, { currency }: Snapshot, y: number): number {
  sheet.within('TR', () => {
    for (const column of Object.values(COLUMNS)) {
      const title = column.title === 'Total' ? `Total ${currency}` : column.title;
      sheet.within('TH', () => {
        sheet.write(title, { ...LABEL, align: column.align ?? 'left' }, { ...column, y });
      });
    }
  });
  const end = y + 15;
  sheet.rule(end, { color: '#9aa3b0' });
  return end;
}

type Cells = Record<Exclude<keyof typeof COLUMNS, 'name'>, string>;

function toCells(line: SnapshotLine, currency: string): Cells {
  return {
    quantity: String(line.quantity),
    price: toAmount(line.unitPrice, currency),
    discount: line.discount === 0 ? '' : toAmount(-line.discount, currency),
    rate: line.rates.map(toPercent).join(' + '),
    net: toAmount(line.net, currency),
    total: toAmount(line.total, currency),
  };
}

/** What stands under the name, in small. */
function toDetails({ detail, periodStart, periodEnd, inclusive }: SnapshotLine): string[] {
  const period =
    periodStart !== null && periodEnd !== null ? `${toDay(periodStart)} – ${toDay(periodEnd)}` : null;
  return [detail, period, inclusive ? 'Unit price includes tax' : null].filter((text) => text !== null);
}

function measureRow(sheet: Sheet, line: SnapshotLine, cells: Cells): number {
  const { width } = COLUMNS.name;
  const nameHeight = toDetails(line).reduce(
    (sum, text) => sum + sheet.measure(text, SMALL, width),
    sheet.measure(line.name, BODY, width),
  );
  const heights = Object.entries(cells).map(([key, text]) =>
    sheet.measure(text, BODY, COLUMNS[key as keyof Cells].width),
  );
  return Math.max(nameHeight, ...heights) + 10;
}

function drawRow(sheet: Sheet, { line, cells, y }: { line: SnapshotLine; cells: Cells; y: number }): void {
  sheet.within('TR', () => {
    sheet.within('TD', () => {
      let nameY = sheet.write(line.name, BODY, { ...COLUMNS.name, y });
      for (const text of toDetails(line)) nameY = sheet.write(text, SMALL, { ...COLUMNS.name, y: nameY });
    });
    for (const [key, text] of Object.entries(cells)) {
      const column = COLUMNS[key as keyof Cells];
      sheet.within('TD', () => {
        sheet.write(text, { ...BODY, align: 'right' }, { ...column, y });
      });
    }
  });
}

function drawTotals(sheet: Sheet, snapshot: Snapshot, top: number): number {
  const { currency, net, taxes, total, kind } = snapshot;
  const rows: Array<{ label: string; amount: string; isTotal?: boolean }> = [
    { label: 'Net', amount: toMoney(net, currency) },
    ...taxes.map((tax) => ({
      label: `${toRateName(tax)} on ${toAmount(tax.taxable, currency)}`,
      amount: toMoney(tax.amount, currency),
    })),
    {
      label: kind === 'invoice' ? 'Total' : 'Total credited',
      amount: toMoney(total, currency),
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

function drawNotes(sheet: Sheet, snapshot: Snapshot, top: number): void {
  const width = PAGE.right - PAGE.left;
  let y = top;
  const put = (text: string, style: TextStyle) => {
    y = startBlock(sheet, y, sheet.measure(text, style, width));
    sheet.within('P', () => {
      y = sheet.write(text, style, { x: PAGE.left, y, width }) + 4;
    });
  };
  for (const sentence of snapshot.sentences) put(sentence, STRONG);
  put(toPaidSentence(snapshot), BODY);
  if (snapshot.discountName) put(`Discount: ${snapshot.discountName}`, BODY);
  if (snapshot.footer) {
    y += 8;
    for (const paragraph of snapshot.footer.split('\n')) put(paragraph, SMALL);
  }
}

function toPaidSentence({ kind, method, paidAt, total, currency, creditReason }: Snapshot): string {
  const how = method ? ` by ${toMethodName(method)}` : '';
  if (kind === 'invoice') return `Paid on ${toDay(paidAt)}${how}. Nothing is left to pay.`;
  const why = creditReason ? ` Reason: ${toCreditReason(creditReason)}.` : '';
  const way = method ? ` to ${toMethodName(method)}` : '';
  return `${toMoney(total, currency)} given back on ${toDay(paidAt)}${way}.${why}`;
}

/** Where a block of this height begins: here, or on a new page. */
function startBlock(sheet: Sheet, y: number, height: number): number {
  if (y + height <= PAGE.bottom) return y;
  sheet.addPage();
  return PAGE.top;
}

/** The pages' feet are drawn last, when their number is known. */
function drawFooters(sheet: Sheet, { number, seller }: Snapshot): void {
  const { start, count } = sheet.doc.bufferedPageRange();
  const style: TextStyle = { size: 7.5, color: QUIET };
  for (let page = start; page < start + count; page += 1) {
    sheet.doc.switchToPage(page);
    sheet.rule(FOOTER_Y - 8);
    const box = { y: FOOTER_Y, width: 300 };
    sheet.writeAside(`${seller.name} · ${number}`, style, { ...box, x: PAGE.left });
    const place = `Page ${page + 1} of ${count}`;
    sheet.writeAside(place, { ...style, align: 'right' }, { ...box, x: PAGE.right - 300 });
  }
}
