/** Prices, prorations and credits once more, in plain numbers and without tax. */

export interface Item {
  offerId: string;
  price: number;
  quantity: number;
}

/** What is billed, or given back where it is negative, for the time from `from` to `to`. */
export interface Line {
  total: number;
  from: number;
  to: number;
}

export interface Span {
  start: number;
  end: number;
  /** The length that a full price is for. */
  full: number;
  at: number;
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
export const totalOf = (lines: readonly Line[]): number => sum(lines.map(({ total }) => total));
export const priceOf = (items: readonly Item[]): number =>
  sum(items.map(({ price, quantity }) => price * quantity));

/** part / whole of an amount of 0 or more, halves up; exact while the product stays below 2^53. */
export function share(amount: number, part: number, whole: number): number {
  const product = amount * part;
  const below = Math.floor(product / whole);
  return 2 * (product - below * whole) >= whole ? below + 1 : below;
}

/** Credits, capped in all, and charges of a change within a period. */
export function prorate(before: readonly Item[], after: readonly Item[], span: Span, worth: number): Line[] {
  const isIn = (items: readonly Item[], { offerId, quantity }: Item) =>
    items.some((item) => item.offerId === offerId && item.quantity === quantity);
  const gone = before.filter((item) => !isIn(after, item));
  const come = after.filter((item) => !isIn(before, item));
  const rest = (item: Item) => share(item.price * item.quantity, span.end - span.at, span.full);
  const toLine = (total: number): Line => ({ total, from: span.at, to: span.end });
  return [
    ...capped(gone.map(rest), worth).map((credit) => toLine(-credit)),
    ...come.map((item) => toLine(rest(item))),
  ];
}

/** The unused rest of everything. */
export function unusedRest(items: readonly Item[], span: Span, worth: number): Line[] {
  const rests = items.map(({ price, quantity }) => share(price * quantity, span.end - span.at, span.full));
  return capped(rests, worth).map((credit) => ({ total: -credit, from: span.at, to: span.end }));
}

function capped(credits: readonly number[], worth: number): number[] {
  let room = Math.max(worth, 0);
  return credits.map((credit) => {
    const used = Math.min(credit, room);
    room -= used;
    return used;
  });
}

export interface Put {
  value: number;
  /** What the payment shows. */
  lines: Line[];
  /** Of these, what had waited: it waits again if the payment comes to nothing. */
  carried: Line[];
  /** What had waited and goes on waiting, and new credits that found no room. */
  waiting: Line[];
  unplaced: Line[];
}

/** A payment out of its own lines and what waits: credits are used, oldest first, as far as there is something to pay. */
export function compose(own: readonly Line[], waiting: readonly Line[]): Put {
  const isCharge = ({ total }: Line) => total >= 0;
  const charges = [...own.filter(isCharge), ...waiting.filter(isCharge)];
  let room = totalOf(charges);
  const take = (credits: readonly Line[]) => {
    const used: Line[] = [];
    const left: Line[] = [];
    for (const credit of credits) {
      const part = Math.min(-credit.total, room);
      room -= part;
      if (part > 0) used.push({ ...credit, total: -part });
      if (part < -credit.total) left.push({ ...credit, total: credit.total + part });
    }
    return { used, left };
  };
  const old = take(waiting.filter((line) => !isCharge(line)));
  const fresh = take(own.filter((line) => !isCharge(line)));
  return {
    value: room,
    lines: [...charges, ...old.used, ...fresh.used],
    carried: [...waiting.filter(isCharge), ...old.used],
    waiting: old.left,
    unplaced: fresh.left,
  };
}
