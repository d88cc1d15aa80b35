/** The layout of an invoice or credit note: who, what, how much, and what the law wants said. */
import type { Party, SnapshotLine } from '../domain/invoicing/snapshot.ts';
import { hasVatPrefix } from '../domain/tax/tax-number.ts';
import { drawNotes, drawTotals, measureEnd } from './draw-end.ts';
import { BODY, type Drawing, GAP, INK, LABEL, QUIET, SMALL, STRONG, WARNING } from './drawing.ts';
import { PAGE, type Sheet } from './sheet.ts';
import type { DocumentKey } from './texts.ts';
import type { TextStyle } from './typesetter.ts';
import type { Wording } from './wording.ts';

const LOGO = { width: 170, height: 46 };
const COLUMN = { seller: 50, buyer: 225, facts: 395 };
const FOOTER_Y = 795;
/** Kept free under the last line of a page, so that a page never ends on a heading. */
const BREAK_Y = PAGE.bottom - 20;

export function drawDocument(drawing: Drawing, logo: Uint8Array | null): void {
  drawing.sheet.addPage();
  const headEnd = drawHead(drawing, logo);
  const partiesEnd = drawParties(drawing, headEnd + 26);
  const linesEnd = drawLines(drawing, partiesEnd + 28);
  const totalsEnd = drawTotals(drawing, linesEnd + GAP.totals);
  drawNotes(drawing, totalsEnd + GAP.notes);
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
    if (party.taxNumber) {
      const isOfVat = party.country !== null && hasVatPrefix(party.country, party.taxNumber);
      put(words.text(isOfVat ? 'vatNumber' : 'taxNumber', { number: party.taxNumber }), BODY);
    }
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

type Columns = Omit<typeof COLUMNS, 'discount'> & Partial<typeof COLUMNS>;

/** Without a line at a lower price there is no column of discounts: what is left of it goes to the description. */
function toColumns(rows: readonly Row[]): Columns {
  if (rows.some(({ cells }) => cells.discount !== '')) return COLUMNS;
  const { discount: _, name, quantity, price, ...others } = COLUMNS;
  const freed = COLUMNS.rate.x - COLUMNS.discount.x;
  return {
    name: { ...name, width: name.width + freed },
    quantity: { ...quantity, x: quantity.x + freed },
    price: { ...price, x: price.x + freed },
    ...others,
  };
}

/** The sum never stands on a page without lines that it is of, where so many there are. */
const LINES_KEPT = 2;

function drawLines(drawing: Drawing, top: number): number {
  const { sheet, snapshot } = drawing;
  const rows = snapshot.lines.map((line) => toRow(drawing, line));
  const columns = toColumns(rows);
  const amounts = chooseAmounts(sheet, rows);
  const heights = rows.map((row) => measureRow(sheet, row, { columns, amounts }));
  const keptFrom = Math.max(rows.length - LINES_KEPT, 0);
  const keptHeight = heights.slice(keptFrom).reduce((sum, height) => sum + height, measureEnd(drawing));
  let y = top;
  let rowsOnPage = 0;
  sheet.within('Table', () => {
    y = drawTableHead(drawing, columns, y);
    for (const [index, row] of rows.entries()) {
      const height = heights[index] ?? 0;
      const isTorn = index === keptFrom && y + keptHeight > PAGE.bottom;
      if (y + height > BREAK_Y || (isTorn && rowsOnPage > 0)) {
        sheet.addPage();
        y = drawTableHead(drawing, columns, PAGE.top);
        rowsOnPage = 0;
      }
      drawRow(sheet, row, { y: y + 5, columns, amounts });
      rowsOnPage += 1;
      y += height;
      sheet.rule(y);
    }
  });
  return y;
}

function drawTableHead({ sheet, snapshot, words }: Drawing, columns: Columns, y: number): number {
  sheet.within('TR', () => {
    for (const [name, column] of Object.entries(columns)) {
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
  // At 0 the buyer's price is as before, and there is no tax in it.
  const isTaxed = line.rates.some(({ percentage }) => percentage > 0);
  const inclusive = line.inclusive && isTaxed ? words.text('inclusive') : null;
  return {
    name: words.lineName(line.name, refersTo),
    details: [detail === null ? null : words.lineDetail(detail), period, inclusive].filter(
      (text) => text !== null,
    ),
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

const AMOUNTS: ReadonlySet<string> = new Set(['price', 'discount', 'net', 'total']);
const AMOUNT_SIZES = [9, 8, 7, 6];

/** Amounts of many digits are smaller in the whole document, rather than broken in two. */
function chooseAmounts(sheet: Sheet, rows: readonly Row[]): TextStyle {
  const longest = Object.entries(COLUMNS)
    .filter(([name]) => AMOUNTS.has(name))
    .map(([name, { width }]) => {
      const texts = rows.map(({ cells }) => cells[name as keyof Cells]);
      return { width, text: texts.reduce((a, b) => (b.length > a.length ? b : a), '') };
    });
  // On two lines a text is higher than this.
  const fits = (size: number) =>
    longest.every(({ text, width }) => sheet.measure(text, { ...BODY, size }, width) < 2 * size);
  return { ...BODY, size: AMOUNT_SIZES.find(fits) ?? 6 };
}

function measureRow(
  sheet: Sheet,
  { name, details, cells }: Row,
  { columns, amounts }: { columns: Columns; amounts: TextStyle },
): number {
  const { width } = columns.name;
  const nameHeight = details.reduce(
    (sum, text) => sum + sheet.measure(text, SMALL, width),
    sheet.measure(name, BODY, width),
  );
  const heights = Object.entries(cells).map(([key, text]) =>
    sheet.measure(text, AMOUNTS.has(key) ? amounts : BODY, COLUMNS[key as keyof Cells].width),
  );
  return Math.max(nameHeight, ...heights) + 10;
}

function drawRow(
  sheet: Sheet,
  { name, details, cells }: Row,
  { y, columns, amounts }: { y: number; columns: Columns; amounts: TextStyle },
): void {
  sheet.within('TR', () => {
    sheet.within('TD', () => {
      const column = columns.name;
      let nameY = sheet.write(name, BODY, { ...column, y });
      for (const text of details) nameY = sheet.write(text, SMALL, { ...column, y: nameY });
    });
    for (const [key, text] of Object.entries(cells)) {
      const column = columns[key as keyof Cells];
      if (!column) continue;
      const style = AMOUNTS.has(key) ? amounts : BODY;
      sheet.within('TD', () => {
        // All of a row stand on one line.
        sheet.write(text, { ...style, align: 'right' }, { ...column, y: y + BODY.size - style.size });
      });
    }
  });
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
