/**
 * PayPal's report of what moved the account's balance, up to three hours late. It names captures, which our rows do not
 * know: the order of each of ours is asked for, once. https://developer.paypal.com/docs/api/transaction-search/v1/
 */
import { WHOLE_ID } from '../../../domain/numbers.ts';
import type {
  BookedCharge,
  BookedMovement,
  BookedRefund,
  BooksPage,
  BooksWindow,
  ProcessorBooks,
} from '../books.ts';
import { fromPayPalMoney, type Money } from './amounts.ts';
import type { PayPalClient } from './client.ts';
import { findLostDispute, listPayPalDisputes } from './disputes.ts';
import { PayPalFailure } from './failure.ts';
import { findOrderOfCapture, type RawRefund, readOrder, toText } from './orders.ts';

/** Each row may cost a call of its own, and a page has the time of one answer. */
const PAGE_SIZE = 50;
const LANES = 5;
/** PayPal answers 31 days at once at most. */
const RANGE_MS = 30 * 86_400_000;
const NAMES_MAX = 50_000;

/** Which order a capture is of never changes. */
export type OrderNames = Map<string, string | null>;

interface Opened {
  client: PayPalClient;
  names: OrderNames;
  realNowMs: () => number;
}

/** One row of the report. */
interface Transaction extends Money {
  id: string;
  code: string;
  status: string;
  feeMinor: bigint;
  reference: string | null;
  /** Our own id of the charge, which its order was told. */
  chargeId: string | null;
  atMs: number;
}

export function openPayPalBooks(opened: Opened): ProcessorBooks {
  const { client } = opened;
  return {
    keepsDisputed: true,
    findCharge: async (processorId) => {
      const order = await readOrder(client, processorId);
      const { capture, metadata = {} } = order ?? {};
      if (!capture?.taken) return null;
      const isTaken = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(capture.status);
      const other = capture.status === 'DECLINED' ? ('ended' as const) : ('open' as const);
      return { processorId, status: isTaken ? 'succeeded' : other, ...capture.taken, metadata };
    },
    listCharges: (window) =>
      listTransactions(opened, window, isPayment, (one) => toBookedCharge(opened, one)),
    listRefunds: (window) =>
      listTransactions(opened, window, isOfRefund, (one) => toBookedRefund(opened, one)),
    listDisputes: async (window) => {
      const { disputes, next } = await listPayPalDisputes(client, window);
      const rows = await inLanes(disputes, async ({ processorId, captureId }) => ({
        processorId,
        ofCharge: captureId === null ? null : await findOrder(opened, captureId),
      }));
      return { rows, next };
    },
    // It is not told of a time to come.
    listMovements: ({ toMs, ...window }) =>
      listTransactions(opened, { ...window, toMs: toMs ?? opened.realNowMs() }, isMoved, (one) =>
        toMovement(opened, one),
      ),
    readBalances: async () => {
      const asked = { method: 'GET' as const, path: '/v1/reporting/balances' };
      const { balances = [] } = await client.ask<{ balances?: ReadonlyArray<{ total_balance?: unknown }> }>(
        asked,
      );
      return balances
        .map(({ total_balance }) => fromPayPalMoney(total_balance))
        .filter((one) => one !== null);
    },
  };
}

/** Where a page begins, which is told from call to call: the day that its range begins, and its number there. */
function toPlace({ fromMs, toMs, after }: BooksWindow): { fromMs: number; toMs: number; page: number } {
  const [, start = String(fromMs), page = '1'] = /^(\d+):(\d+)$/.exec(after ?? '') ?? [];
  return { fromMs: Number(start), toMs: Math.min(Number(start) + RANGE_MS, toMs), page: Number(page) };
}

interface RawReport {
  transaction_details?: ReadonlyArray<{ transaction_info?: Readonly<Record<string, unknown>> }>;
  total_pages?: unknown;
}

async function listTransactions<T>(
  { client }: Opened,
  window: BooksWindow,
  isAsked: (one: Transaction) => boolean,
  toRow: (one: Transaction) => Promise<T | null>,
): Promise<BooksPage<T>> {
  const { fromMs, toMs, page } = toPlace(window);
  if (fromMs >= toMs) return { rows: [], next: null };
  const query = new URLSearchParams({
    start_date: new Date(fromMs).toISOString(),
    end_date: new Date(toMs).toISOString(),
    fields: 'transaction_info',
    page_size: String(PAGE_SIZE),
    page: String(page),
  });
  const path = `/v1/reporting/transactions?${query}`;
  const { transaction_details = [], total_pages } = await client.ask<RawReport>({ method: 'GET', path });
  const told = transaction_details.map(({ transaction_info }) => toTransaction(transaction_info ?? {}));
  const asked = told.filter((one) => one !== null).filter(isAsked);
  const rows = (await inLanes(asked.reverse(), toRow)).filter((row) => row !== null);
  const isLast = page >= Number(total_pages ?? 0);
  if (!isLast) return { rows, next: `${fromMs}:${page + 1}` };
  return { rows, next: toMs < window.toMs ? `${toMs}:1` : null };
}

/** Null = it moves nothing that can be read. */
function toTransaction(info: Readonly<Record<string, unknown>>): Transaction | null {
  const id = toText(info.transaction_id);
  const money = fromPayPalMoney(info.transaction_amount);
  if (id === null || !money) return null;
  const chargeId = toText(info.custom_field) ?? toText(info.invoice_id);
  return {
    id,
    ...money,
    code: toText(info.transaction_event_code) ?? '',
    status: toText(info.transaction_status) ?? '',
    // PayPal writes what it keeps as a sum that leaves.
    feeMinor: -(fromPayPalMoney(info.fee_amount)?.amountMinor ?? 0n),
    reference: toText(info.paypal_reference_id),
    chargeId: chargeId !== null && WHOLE_ID.test(chargeId) ? chargeId : null,
    atMs: Date.parse(toText(info.transaction_initiation_date) ?? '') || 0,
  };
}

/** T00: what somebody paid, here or to somebody else. */
const isPayment = ({ code, amountMinor }: Transaction): boolean => code.startsWith('T00') && amountMinor > 0n;
/** T1107: given back by the merchant. T1100: taken back again, as by the bank of whom it was for. */
const isOfRefund = ({ code }: Transaction): boolean => code === 'T1107' || code === 'T1100';
/**
 * Authorized, held, or let go of again: as while a dispute is looked into (T1110, T1111), for a payout (T1503, T1105), as a
 * reserve (T21). It stays in the account, and `total_balance` has it all along.
 */
const HELD = /^T(1105|111[01]|13\d\d|15\d\d|21(0[1-8]|1[1-3]))$/;
/** `V`: it moved, and was given back since. What waits or was denied has moved nothing. */
const isMoved = ({ status, code }: Transaction): boolean =>
  (status === 'S' || status === 'V') && !HELD.test(code);

async function toBookedCharge(opened: Opened, one: Transaction): Promise<BookedCharge> {
  const { id, chargeId, amountMinor, currency } = one;
  const order = chargeId === null ? null : await findOrder(opened, id);
  const status = isMoved(one) ? 'succeeded' : one.status === 'D' ? 'ended' : 'open';
  // Of what its order was told the report has our charge's id alone: whoever has no row of it asks for it by its name.
  return { processorId: order ?? id, status, amountMinor, currency, metadata: {}, isShort: order !== null };
}

async function toBookedRefund(opened: Opened, one: Transaction): Promise<BookedRefund | null> {
  const refund = await findRefund(opened, one);
  return refund && { ...refund, ofCharge: await findOrder(opened, refund.captureId) };
}

const KINDS: ReadonlyArray<[RegExp, BookedMovement['kind']]> = [
  [/^T(03|04)\d\d$/, 'payout'],
  [/^T01\d\d$|^T110[89]$/, 'fee'],
  [/^T(1106|1201)$/, 'dispute'],
  [/^T1202$/, 'dispute_reversal'],
];

async function toMovement(opened: Opened, one: Transaction): Promise<BookedMovement> {
  const { id: movementId, amountMinor, feeMinor, currency, atMs, reference, chargeId } = one;
  const of = { movementId, amountMinor, feeMinor, currency, atMs };
  const none = { source: null, ofCharge: null, ownId: null };
  if (isPayment(one)) {
    const ofCharge = chargeId === null ? null : await findOrder(opened, movementId);
    return { ...of, kind: 'charge', source: movementId, ofCharge, ownId: null };
  }
  const refund = isOfRefund(one) ? await findRefund(opened, one) : null;
  if (refund) {
    const { processorId: source, captureId, ownId } = refund;
    const kind = one.code === 'T1107' ? 'refund' : 'refund_returned';
    return { ...of, kind, source, ofCharge: await findOrder(opened, captureId), ownId };
  }
  const kind = KINDS.find(([pattern]) => pattern.test(one.code))?.[1] ?? 'other';
  if (!kind.startsWith('dispute') || reference === null) return { ...of, kind, ...none };
  const source = await findLostDispute(opened.client, reference);
  return { ...of, kind, source, ofCharge: await findOrder(opened, reference), ownId: null };
}

type Refund = Omit<BookedRefund, 'ofCharge'> & { captureId: string };

/** The report bears the ids of the payment: which refund of ours it is, the refund says. Null = it is none. */
async function findRefund({ client }: Opened, one: Transaction): Promise<Refund | null> {
  const processorId = one.code === 'T1107' ? one.id : one.reference;
  if (processorId === null) return null;
  try {
    const path = `/v2/payments/refunds/${encodeURIComponent(processorId)}`;
    const { status, status_details, custom_id, links } = await client.ask<RawRefund>({ method: 'GET', path });
    const up = toText(links?.find(({ rel }) => rel === 'up')?.href)
      ?.split('/')
      .pop();
    const captureId = up ?? (one.code === 'T1107' ? one.reference : null);
    if (captureId === null) return null;
    const own = toText(custom_id);
    return {
      ...{ processorId, captureId, status: toRefundStatus(status), currency: one.currency },
      ownId: own !== null && WHOLE_ID.test(own) ? own : null,
      reason: toText(status_details?.reason)?.toLowerCase() ?? null,
      amountMinor: one.amountMinor < 0n ? -one.amountMinor : one.amountMinor,
    };
  } catch (error) {
    if (error instanceof PayPalFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** All that was given back of an order, whoever asked for it. */
export async function listPayPalRefunds(client: PayPalClient, orderId: string): Promise<BookedRefund[]> {
  const order = await readOrder(client, orderId);
  return (order?.refunds ?? []).flatMap(({ id, status, status_details, custom_id, amount }) => {
    const [processorId, money, own] = [toText(id), fromPayPalMoney(amount), toText(custom_id)];
    if (processorId === null || !money) return [];
    const reason = toText(status_details?.reason)?.toLowerCase() ?? null;
    const ownId = own !== null && WHOLE_ID.test(own) ? own : null;
    return [{ processorId, ofCharge: orderId, ownId, status: toRefundStatus(status), reason, ...money }];
  });
}

/** A word that is not known is one that waits. */
function toRefundStatus(status: unknown): BookedRefund['status'] {
  if (status === 'COMPLETED') return 'succeeded';
  return status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'pending';
}

async function findOrder({ client, names }: Opened, captureId: string): Promise<string | null> {
  const known = names.get(captureId);
  if (known !== undefined) return known;
  const order = await findOrderOfCapture(client, captureId);
  if (names.size >= NAMES_MAX) names.clear();
  names.set(captureId, order);
  return order;
}

/** A few at a time, in their order. */
async function inLanes<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const rows: R[] = [];
  const left = [...items.entries()];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) rows[one[0]] = await ask(one[1]);
  };
  await Promise.all(Array.from({ length: LANES }, next));
  return rows;
}
