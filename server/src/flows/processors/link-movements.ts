/**
 * The movements that a processor tells of, each linked once to what it is of ours, or posted by itself. A charge, a refund
 * and a dispute are posted when they move here: what a movement adds is only what is not posted by then, such as a fee that
 * is told later, or the sum in the currency that the account is settled in.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { divideHalfAwayFromZero } from '../../domain/money/rounding.ts';
import { toTaken } from '../../domain/processors/findings.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import type { BookedMovement } from '../../providers/payment/books.ts';
import { findDispute } from '../../resources/disputes/disputes.queries.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { updateOrder } from '../../resources/orders/orders.queries.ts';
import {
  findCharge,
  lockPayment,
  updateCharge,
  updatePayment,
} from '../../resources/payments/payments.queries.ts';
import {
  findBookedRefund,
  listChargesOfObjects,
} from '../../resources/processors/processor-books.queries.ts';
import {
  hasChargeMovement,
  insertMovement,
  listKnownMovements,
  listWaitingMovements,
  settleMovement,
} from '../../resources/processors/processor-movements.queries.ts';
import { findReturnSettledThere } from '../../resources/refunds/returned-refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { postLateFee, postMovement } from '../accounting/post-to-ledger.ts';

type Charge = Row<'charges'>;
type Account = Row<'processorMovements'>['account'];

/** What of ours a movement is: what our rows have posted for it. */
interface Own {
  chargeId: string | null;
  refundId: string | null;
  paymentId: string;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: string;
}

type Found = { kind: 'own'; own: Own } | { kind: 'waiting' } | { kind: 'none' };

interface Told extends BookedMovement {
  connectionId: string;
  /** Of our row of it, where one waits. */
  waitingId: string | null;
}

const OF_CHARGES: ReadonlySet<BookedMovement['kind']> = new Set([
  'charge',
  'refund',
  'refund_returned',
  'dispute',
  'dispute_reversal',
]);

const NONE: Found = { kind: 'none' };
const WAITING: Found = { kind: 'waiting' };

export interface Linking {
  connectionId: string;
  movements: readonly BookedMovement[];
  /** Real ms: until when charges were read, and so the lost ones written again. */
  toMs: number;
}

export async function linkMovements(
  ctx: Context,
  scope: Scope,
  { connectionId, movements, toMs }: Linking,
): Promise<void> {
  const waiting = await listWaitingMovements(ctx.db, scope, connectionId);
  for (const row of waiting) await link(ctx, scope, toTold(row), toMs);
  const movementIds = movements.map(({ movementId }) => movementId);
  const known = await listKnownMovements(ctx.db, scope, { connectionId, movementIds });
  // Oldest first: what was taken comes before what was given back of it.
  const news = movements.filter(({ movementId }) => !known.has(movementId)).reverse();
  news.sort((one, other) => one.atMs - other.atMs);
  for (const movement of news) await link(ctx, scope, { ...movement, connectionId, waitingId: null }, toMs);
}

/** As it was told, of the row that has kept it. */
function toTold(row: Row<'processorMovements'>): Told {
  return {
    connectionId: row.connectionId,
    waitingId: row.id,
    movementId: row.movementId,
    // Written from the port's own word.
    kind: row.kind as BookedMovement['kind'],
    source: row.source,
    ofCharge: row.sourceCharge,
    ownId: row.sourceOwn,
    amountMinor: row.amount,
    feeMinor: row.fee,
    currency: row.currency,
    atMs: row.happenedAt,
  };
}

async function link(ctx: Context, scope: Scope, told: Told, toMs: number): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const found = await findOwn(tx, scope, told);
    // Of a charge that nobody knows yet the run tells that reads it: it may be one that was lost here.
    if (found.kind === 'none' && OF_CHARGES.has(told.kind) && told.atMs >= toMs) return;
    if (found.kind === 'waiting') await lookAtDispute(ctx, scope, { tx, told });
    if (found.kind === 'waiting' && told.waitingId !== null) return;
    const own = found.kind === 'own' ? await withFee(ctx, scope, { tx, told, own: found.own }) : null;
    const id = told.waitingId ?? ctx.ids.next(ctx.nowMs);
    const account = toAccount(told.kind);
    const linking = {
      chargeId: own?.chargeId ?? null,
      refundId: own?.refundId ?? null,
      status:
        found.kind === 'own'
          ? ('linked' as const)
          : found.kind === 'waiting'
            ? ('waiting' as const)
            : ('posted' as const),
      ownAmount: own?.amountMinor ?? 0n,
      ownFee: own?.feeMinor ?? 0n,
      ownCurrency: own?.currency ?? told.currency,
      account,
    };
    const isWritten = told.waitingId
      ? await settleMovement(tx, scope, { id, ...linking })
      : await insertMovement(tx, scope, { id, ...linking, ...toColumns(ctx, told) });
    if (!isWritten || found.kind === 'waiting') return;
    const { amountMinor, feeMinor, currency } = told;
    await postMovement(tx, scope, ctx.ids, {
      ...{ id, at: ctx.nowMs, paymentId: own?.paymentId ?? null, amountMinor, feeMinor, currency, account },
      own: own ?? { amountMinor: 0n, feeMinor: 0n, currency },
    });
  });
}

/** Money that a bank has taken, by a dispute that nobody has told of. */
async function lookAtDispute(
  ctx: Context,
  scope: Scope,
  { tx, told: { kind, ofCharge, connectionId } }: { tx: Tx; told: Told },
): Promise<void> {
  if (kind !== 'dispute' || ofCharge === null) return;
  const [charge] = await listChargesOfObjects(tx, scope, { connectionId, processorIds: [ofCharge] });
  if (charge?.status !== 'succeeded') return;
  await insertDueWork(tx, scope, [{ kind: 'watch_dispute', refId: charge.id, dueMs: ctx.nowMs }]);
}

function toColumns({ realNowMs }: Context, told: Told) {
  return {
    connectionId: told.connectionId,
    movementId: told.movementId,
    kind: told.kind,
    amount: told.amountMinor,
    fee: told.feeMinor,
    currency: told.currency,
    source: told.source,
    sourceCharge: told.ofCharge,
    sourceOwn: told.ownId,
    happenedAt: told.atMs,
    createdAt: realNowMs(),
  };
}

function toAccount(kind: BookedMovement['kind']): Account {
  if (kind === 'payout') return 'payouts';
  return kind === 'fee' ? 'fees' : 'processor_other';
}

async function findOwn(tx: Tx, scope: Scope, told: Told): Promise<Found> {
  const { kind, ofCharge, connectionId } = told;
  if (!OF_CHARGES.has(kind)) return NONE;
  const processorIds = ofCharge === null ? [] : [ofCharge];
  const [charge] = await listChargesOfObjects(tx, scope, { connectionId, processorIds });
  if (!charge) return NONE;
  if (kind === 'charge') return findTaken(tx, scope, charge);
  return kind === 'refund' || kind === 'refund_returned'
    ? findRefunded(tx, scope, { told, charge })
    : findDisputed(tx, scope, { told, charge });
}

async function findTaken(tx: Tx, scope: Scope, charge: Charge): Promise<Found> {
  if (charge.status === 'pending' || (charge.status === 'failed' && charge.reversedAt === null))
    return WAITING;
  // Money that came for it a second time is none that we have posted.
  if (await hasChargeMovement(tx, scope, charge.id)) return NONE;
  return toOwn(charge, { ...toTaken(charge), feeMinor: charge.fee });
}

interface OfCharge {
  told: Told;
  charge: Charge;
}

async function findRefunded(tx: Tx, scope: Scope, { told, charge }: OfCharge): Promise<Found> {
  const { connectionId, source: processorId, ownId } = told;
  const taken = toTaken(charge);
  const back = (amountMinor: bigint) => (told.kind === 'refund' ? -amountMinor : amountMinor);
  // What came for a closed payment goes back under the charge's own id.
  if (ownId === charge.id) {
    if (charge.reversedAt === null) return WAITING;
    if (told.kind !== 'refund') return NONE;
    return toOwn(charge, { ...taken, amountMinor: -taken.amountMinor, feeMinor: 0n });
  }
  const refund = await findBookedRefund(tx, scope, { connectionId, processorId, ownId });
  if (!refund) return findSettledReturn(tx, scope, { told, charge });
  if (refund.status === 'failed') return NONE;
  if (refund.status !== 'succeeded') return WAITING;
  if (told.kind === 'refund_returned' && refund.returnedAt === null) return WAITING;
  const { amount, currency, id: refundId } = refund;
  return toOwn(charge, { amountMinor: back(amount), feeMinor: 0n, currency, refundId });
}

/** What came back of ours, and was given back there once more under another name. */
async function findSettledReturn(tx: Tx, scope: Scope, { told, charge }: OfCharge): Promise<Found> {
  const { kind, source: processorId } = told;
  if (processorId === null) return WAITING;
  const { paymentId } = charge;
  const refund = await findReturnSettledThere(tx, scope, { paymentId, processorId });
  if (!refund) return WAITING;
  if (kind !== 'refund') return NONE;
  return toOwn(charge, {
    ...{ amountMinor: -refund.amount, feeMinor: 0n, currency: refund.currency, refundId: refund.id },
  });
}

async function findDisputed(tx: Tx, scope: Scope, { told, charge }: OfCharge): Promise<Found> {
  const { source: processorId } = told;
  const dispute =
    processorId === null ? undefined : await findDispute(tx, scope, { chargeId: charge.id, processorId });
  if (!dispute || dispute.status === 'inquiry') return WAITING;
  const { status, amount, currency } = dispute;
  // Of what came to nothing nothing was posted, or all of it was taken back.
  if (status === 'none') return toOwn(charge, { amountMinor: 0n, feeMinor: 0n, currency });
  if (told.kind === 'dispute') return toOwn(charge, { amountMinor: -amount, feeMinor: 0n, currency });
  if (status === 'open') return WAITING;
  // Given back after it was lost: the books have let it go.
  return toOwn(charge, { amountMinor: status === 'won' ? amount : 0n, feeMinor: 0n, currency });
}

function toOwn(
  { id: chargeId, paymentId }: Charge,
  posted: Pick<Own, 'amountMinor' | 'feeMinor' | 'currency'> & { refundId?: string },
): Found {
  return { kind: 'own', own: { refundId: null, ...posted, chargeId, paymentId } };
}

/** Of a charge: the fee as it is told by now, in the currency that was taken, posted as far as it was not. */
async function withFee(
  ctx: Context,
  scope: Scope,
  { tx, told, own }: { tx: Tx; told: Told; own: Own },
): Promise<Own> {
  const { chargeId, paymentId, currency, amountMinor } = own;
  if (told.kind !== 'charge' || chargeId === null) return own;
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  const [charge, payment] = [await findCharge(tx, scope, chargeId), await lockPayment(tx, scope, paymentId)];
  assert(sale && charge, 'a charge has its payment');
  const fee =
    told.currency === currency
      ? told.feeMinor
      : told.amountMinor === 0n
        ? 0n
        : divideHalfAwayFromZero(told.feeMinor * amountMinor, told.amountMinor);
  const feeMinor = fee < amountMinor ? fee : amountMinor;
  const more = feeMinor - charge.fee;
  if (more === 0n) return { ...own, feeMinor };
  await updateCharge(tx, scope, { id: chargeId, fee: feeMinor });
  if (charge.reversedAt === null) {
    const isConverted = currency !== payment.currency;
    const inOwn = isConverted ? divideHalfAwayFromZero(feeMinor * payment.value, amountMinor) : feeMinor;
    const changed = { fee: inOwn < payment.value ? inOwn : payment.value };
    await updatePayment(tx, scope, { id: paymentId, ...changed });
    if (isInitialPayment(payment.type)) await updateOrder(tx, scope, { id: payment.orderId, ...changed });
  }
  await postLateFee(tx, scope, ctx.ids, { at: ctx.nowMs, paymentId, currency, chargeId, feeMinor: more });
  return { ...own, feeMinor };
}
