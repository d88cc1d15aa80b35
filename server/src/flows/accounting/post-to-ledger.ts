/**
 * Posts a movement of money to the ledger, in the transaction that makes it. A movement is posted once: the
 * second posting of the same charge, refund or dispute fails on the ledger's key.
 */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import {
  type LedgerLine,
  planCharge,
  planConvertedCharge,
  planDisputeLost,
  planDisputeOpened,
  planDisputeWon,
  planLateFee,
  planMovement,
  planRefund,
  planRefundReturned,
  planReturnSettled,
  planReversal,
  type ToldMovement,
} from '../../domain/ledger/entries.ts';
import { insertEntry, type LedgerKind, type NewEntry } from '../../resources/ledger/ledger.queries.ts';

interface Posting {
  /** The workspace's time (ms). */
  at: number;
  /** Null = of none. */
  paymentId: string | null;
  currency: string;
}

export interface ChargePosting extends Posting {
  chargeId: string;
  processor: string;
  valueMinor: bigint;
  taxMinor: bigint;
  /** In the currency that was taken. */
  feeMinor: bigint;
  taken: { amountMinor: bigint; currency: string };
}

export interface RefundPosting extends Posting {
  refundId: string;
  processor: string;
  amountMinor: bigint;
  taxMinor: bigint;
}

export interface ReversalPosting extends Posting {
  chargeId: string;
  processor: string;
  amountMinor: bigint;
  /** What the processor keeps although the money goes back: the charge's `fee`. */
  feeMinor: bigint;
}

export interface DisputePosting extends Posting {
  disputeId: string;
  /** What is disputed: the payment's value less what was refunded of it. */
  amountMinor: bigint;
  /** The tax in it. */
  taxMinor: bigint;
}

/** The entry of a charge that pays its payment, for the statement that writes all of it. */
export function toChargeEntry(ids: Ids, posting: ChargePosting): NewEntry {
  const { chargeId: sourceId, taken, currency } = posting;
  const planned = { ...posting, takenMinor: taken.amountMinor };
  const lines = taken.currency === currency ? planCharge(planned) : planConvertedCharge(planned).sale;
  return toEntry(ids, { kind: 'charge', sourceId, posting, lines });
}

/** What belongs to it where another currency was taken than the payment's; else nothing. */
export async function postConversion(tx: Tx, scope: Scope, ids: Ids, posting: ChargePosting): Promise<void> {
  const { chargeId: sourceId, taken, currency } = posting;
  if (taken.currency === currency) return;
  const { out, into } = planConvertedCharge({ ...posting, takenMinor: taken.amountMinor });
  await post(tx, scope, ids, { kind: 'conversion_out', sourceId, posting, lines: out });
  const there = { ...posting, currency: taken.currency };
  await post(tx, scope, ids, { kind: 'conversion_in', sourceId, posting: there, lines: into });
}

/** A refund that succeeded; one that a lost dispute makes is posted by `postDisputeLost` alone. */
export async function postRefund(tx: Tx, scope: Scope, ids: Ids, posting: RefundPosting): Promise<void> {
  await post(tx, scope, ids, {
    kind: 'refund',
    sourceId: posting.refundId,
    posting,
    lines: planRefund(posting),
  });
}

/** Money that came for a closed payment and goes back at once: both entries. */
export async function postReversal(tx: Tx, scope: Scope, ids: Ids, posting: ReversalPosting): Promise<void> {
  const { moneyIn, moneyOut } = planReversal(posting);
  const sourceId = posting.chargeId;
  await post(tx, scope, ids, { kind: 'reversal_in', sourceId, posting, lines: moneyIn });
  await post(tx, scope, ids, { kind: 'reversal_out', sourceId, posting, lines: moneyOut });
}

export async function postDisputeOpened(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  posting: DisputePosting,
): Promise<void> {
  const lines = planDisputeOpened(posting);
  await post(tx, scope, ids, { kind: 'dispute_opened', sourceId: posting.disputeId, posting, lines });
}

export async function postDisputeWon(tx: Tx, scope: Scope, ids: Ids, posting: DisputePosting): Promise<void> {
  const lines = planDisputeWon(posting);
  await post(tx, scope, ids, { kind: 'dispute_won', sourceId: posting.disputeId, posting, lines });
}

export async function postDisputeLost(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  posting: DisputePosting,
): Promise<void> {
  const lines = planDisputeLost(posting);
  await post(tx, scope, ids, { kind: 'dispute_lost', sourceId: posting.disputeId, posting, lines });
}

export interface ReturnPosting extends Posting {
  refundId: string;
  amountMinor: bigint;
}

export async function postRefundReturned(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  { refundId: sourceId, amountMinor, ...posting }: ReturnPosting,
): Promise<void> {
  const lines = planRefundReturned(amountMinor);
  await post(tx, scope, ids, { kind: 'refund_returned', sourceId, posting, lines });
}

export async function postReturnSettled(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  { refundId: sourceId, amountMinor, isThere, ...posting }: ReturnPosting & { isThere: boolean },
): Promise<void> {
  const lines = planReturnSettled(amountMinor, isThere);
  await post(tx, scope, ids, { kind: 'return_settled', sourceId, posting, lines });
}

/** What a charge's fee comes to beside what was posted of it. */
export async function postLateFee(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  { chargeId: sourceId, feeMinor, ...posting }: Posting & { chargeId: string; feeMinor: bigint },
): Promise<void> {
  await post(tx, scope, ids, { kind: 'fee', sourceId, posting, lines: planLateFee(feeMinor) });
}

export interface MovementPosting extends Pick<Posting, 'at' | 'paymentId'>, ToldMovement {
  /** Of our row of it. */
  id: string;
}

/** A movement that a processor tells of, as far as no row of ours has posted it. */
export async function postMovement(
  tx: Tx,
  scope: Scope,
  ids: Ids,
  { id: sourceId, at, paymentId, ...told }: MovementPosting,
): Promise<void> {
  const { same, out, into } = planMovement(told);
  const there = { at, paymentId, currency: told.currency };
  await post(tx, scope, ids, { kind: 'movement', sourceId, posting: there, lines: same });
  const here = { ...there, currency: told.own.currency };
  await post(tx, scope, ids, { kind: 'movement_out', sourceId, posting: here, lines: out });
  await post(tx, scope, ids, { kind: 'movement_in', sourceId, posting: there, lines: into });
}

interface Posted {
  kind: LedgerKind;
  sourceId: string;
  posting: Posting;
  lines: LedgerLine[];
}

async function post(tx: Tx, scope: Scope, ids: Ids, posted: Posted): Promise<void> {
  if (posted.lines.length > 0) await insertEntry(tx, scope, toEntry(ids, posted));
}

function toEntry(ids: Ids, { kind, sourceId, posting, lines }: Posted): NewEntry {
  const { at, paymentId, currency } = posting;
  return { entryId: ids.next(at), kind, sourceId, paymentId, currency, createdAt: at, rows: lines };
}
