/** Prices, prorations and credits once more, in plain numbers and without tax: a place stands for its tax, of 0. */

export interface Item {
  offerId: string;
  price: number;
  quantity: number;
  /** Where it was last billed; missing = no bill has named it. */
  place?: string;
}

/** What is billed, or given back where it is negative, for the time from `from` to `to`. */
export interface Line {
  total: number;
  from: number;
  to: number;
  /** Whose tax it bears. */
  place: string;
  /** When it came to be: credits are used oldest first. */
  at: number;
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

/** What is taken off the lines of the first `limit` periods that are charged. */
export interface Discount {
  code: string;
  kind: 'percentage' | 'fixed';
  /** Percent, or minor units. */
  amount: number;
  limit: number;
}

/** What each item costs, less its share of the discount. */
export function lower(items: readonly Item[], discount: Discount | null): number[] {
  const full = items.map(({ price, quantity }) => price * quantity);
  if (discount === null) return full;
  if (discount.kind === 'percentage') {
    return full.map((total) => total - share(total, discount.amount * 100, 10_000));
  }
  const all = sum(full);
  const off = Math.min(discount.amount, all);
  const parts = full.map((total) => Math.floor((off * total) / all));
  const byRemainder = items
    .map(({ offerId }, index) => ({ offerId, index, left: (off * (full[index] ?? 0)) % all }))
    .sort((a, b) => b.left - a.left || (a.offerId < b.offerId ? -1 : 1));
  for (const { index } of byRemainder.slice(0, off - sum(parts))) parts[index] = (parts[index] ?? 0) + 1;
  return full.map((total, index) => total - (parts[index] ?? 0));
}

interface Change {
  before: readonly Item[];
  after: readonly Item[];
  discount: Discount | null;
  /** Where the buyer is now, and when that is. */
  today: { place: string; at: number };
}

/** Credits, capped in all, and charges of a change within a period; with what is charged anew. */
export function prorate(
  { before, after, discount, today }: Change,
  span: Span,
  worth: number,
): { lines: Line[]; charged: string[] } {
  const price = (items: readonly Item[]) => {
    const totals = lower(items, discount);
    return items.map((item, index) => ({ ...item, total: totals[index] ?? 0 }));
  };
  type Priced = ReturnType<typeof price>[number];
  const isIn = (items: readonly Priced[], { offerId, quantity, total }: Priced) =>
    items.some((item) => item.offerId === offerId && item.quantity === quantity && item.total === total);
  const [old, fresh] = [price(before), price(after)];
  const gone = old.filter((item) => !isIn(fresh, item));
  const come = fresh.filter((item) => !isIn(old, item));
  const rest = ({ total }: Priced) => share(total, span.end - span.at, span.full);
  const about = { from: span.at, to: span.end, at: today.at };
  const credits = capped(gone.map(rest), worth).map((credit, index) => ({
    ...about,
    total: -credit,
    place: gone[index]?.place ?? today.place,
  }));
  const charges = come.map((item) => ({ ...about, total: rest(item), place: today.place }));
  return { lines: [...credits, ...charges], charged: come.map(({ offerId }) => offerId) };
}

/** The unused rest of everything. */
export function unusedRest(
  { before, discount, today }: Omit<Change, 'after'>,
  span: Span,
  worth: number,
): Line[] {
  const rests = lower(before, discount).map((total) => share(total, span.end - span.at, span.full));
  return capped(rests, worth).map((credit, index) => ({
    total: -credit,
    from: span.at,
    to: span.end,
    place: before[index]?.place ?? today.place,
    at: today.at,
  }));
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

/** The sums of lines, place by place. */
export function netsOf(lines: readonly Line[]): Map<string, number> {
  const nets = new Map<string, number>();
  for (const { place, total } of lines) nets.set(place, (nets.get(place) ?? 0) + total);
  return nets;
}

/** A payment out of its own lines and what waits: credits are used, oldest first, as far as their tax is to be paid. */
export function compose(own: readonly Line[], waiting: readonly Line[]): Put {
  const isCharge = ({ total }: Line) => total >= 0;
  const charges = [...own.filter(isCharge), ...waiting.filter(isCharge)];
  const rooms = netsOf(charges);
  const take = (credits: readonly Line[]) => {
    const used: Line[] = [];
    const left: Line[] = [];
    for (const credit of credits) {
      const room = rooms.get(credit.place) ?? 0;
      const part = Math.min(-credit.total, room);
      rooms.set(credit.place, room - part);
      if (part > 0) used.push({ ...credit, total: -part });
      if (part < -credit.total) left.push({ ...credit, total: credit.total + part });
    }
    return { used, left };
  };
  const old = take(waiting.filter((line) => !isCharge(line)));
  const fresh = take(own.filter((line) => !isCharge(line)));
  return {
    value: sum([...rooms.values()]),
    lines: [...charges, ...old.used, ...fresh.used],
    carried: [...waiting.filter(isCharge), ...old.used],
    waiting: old.left,
    unplaced: fresh.left,
  };
}
