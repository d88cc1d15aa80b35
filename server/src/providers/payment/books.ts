/**
 * A processor's own books, as they are compared with ours. All of it is read, page by page, since each call has a limit;
 * a call that has no answer throws, and nothing is concluded from half of a book. Times are real.
 */

/** By when things came to be there: from `fromMs` on, before `toMs`. */
export interface BooksWindow {
  fromMs: number;
  toMs: number;
  /** `next` of the page before; null = the first. */
  after: string | null;
}

export interface BooksPage<T> {
  rows: T[];
  /** Null = there is no more. */
  next: string | null;
}

/** With null up to the last that there is, also where the processor's clock is ahead. */
export interface MovementsWindow extends Omit<BooksWindow, 'toMs'> {
  toMs: number | null;
}

/** An object that may take money once. */
export interface BookedCharge {
  processorId: string;
  status: 'succeeded' | 'open' | 'ended';
  /** What was taken. */
  amountMinor: bigint;
  currency: string;
  /** What it was told when it was made. */
  metadata: Readonly<Record<string, string>>;
  /** A list that leaves that out: it is asked for by its name. */
  isShort?: boolean;
}

export interface BookedRefund {
  processorId: string;
  /** The object that took the money; null = it does not say. */
  ofCharge: string | null;
  /** Our own id that was given along; null for what others made. */
  ownId: string | null;
  status: 'succeeded' | 'pending' | 'failed';
  reason: string | null;
  amountMinor: bigint;
  currency: string;
}

export interface BookedDispute {
  processorId: string;
  ofCharge: string | null;
}

/** One line of the account's balance. What leaves is negative; the fee is on top. */
export interface BookedMovement {
  movementId: string;
  kind:
    | 'charge'
    | 'refund'
    | 'refund_returned'
    | 'dispute'
    | 'dispute_reversal'
    | 'payout'
    | 'fee'
    /** Whatever else moves money there. */
    | 'other';
  /** What it is of, by the processor's name; null = nothing. */
  source: string | null;
  ofCharge: string | null;
  /** Our own id of the refund that it is of. */
  ownId: string | null;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
  atMs: number;
}

export interface BookedBalance {
  currency: string;
  /** With what is on its way into it. */
  amountMinor: bigint;
}

export interface ProcessorBooks {
  /** What an open dispute is about stays in the balance, withheld, until it is lost. */
  keepsDisputed: boolean;
  /** One of its charges by its name; null = this account has none of it. */
  findCharge(processorId: string): Promise<BookedCharge | null>;
  listCharges(window: BooksWindow): Promise<BooksPage<BookedCharge>>;
  listRefunds(window: BooksWindow): Promise<BooksPage<BookedRefund>>;
  listDisputes(window: BooksWindow): Promise<BooksPage<BookedDispute>>;
  listMovements(window: MovementsWindow): Promise<BooksPage<BookedMovement>>;
  /** As it is now. */
  readBalances(): Promise<BookedBalance[]>;
}

/** All pages of one list. */
export async function readWhole<T, End extends number | null>(
  list: (window: { fromMs: number; toMs: End; after: string | null }) => Promise<BooksPage<T>>,
  { fromMs, toMs }: { fromMs: number; toMs: End },
): Promise<T[]> {
  const rows: T[] = [];
  for (let after: string | null = null; ; ) {
    const page: BooksPage<T> = await list({ fromMs, toMs, after });
    rows.push(...page.rows);
    if (page.next === null) return rows;
    after = page.next;
  }
}
