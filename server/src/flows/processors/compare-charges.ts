/**
 * What a processor says was taken, held against our charges of the connection. What is merely behind is looked at, and
 * settles as ever, and what our rows have lost is written again; where only one of the two knows of money even so, nothing
 * is changed and a person is told.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type Finding, judgeCharge, toTaken } from '../../domain/processors/findings.ts';
import type { BookedCharge } from '../../providers/payment/books.ts';
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { findCharge } from '../../resources/payments/payments.queries.ts';
import {
  findInstallId,
  listChargesOfObjects,
  listUnproven,
} from '../../resources/processors/processor-books.queries.ts';
import { toLookUpReference } from '../payments/look-up-charge.ts';
import { reconcileCharge } from '../payments/reconcile-charge.ts';
import { settlePayment } from '../payments/settle-payment.ts';
import { adoptLost, isOfStore } from './adopt-lost.ts';

type Charge = Row<'charges'>;

export interface Comparing {
  row: Row<'processors'>;
  provider: PaymentProvider;
  /** Real ms: until when the processor's books were read. */
  toMs: number;
}

const AT_ONCE = 500;
/** Those that are asked for one by one in a run; the next goes on. */
const UNPROVEN_MAX = 200;

export async function compareCharges(
  ctx: Context,
  scope: Scope,
  { booked, ...comparing }: Comparing & { booked: readonly BookedCharge[] },
): Promise<Finding[]> {
  const installId = await findInstallId(ctx.db, scope);
  const findings: Finding[] = [];
  const unknown: BookedCharge[] = [];
  // Oldest first, as they came about.
  const ordered = [...booked].reverse();
  for (let from = 0; from < ordered.length; from += AT_ONCE) {
    const some = ordered.slice(from, from + AT_ONCE);
    const charges = await listChargesOfObjects(ctx.db, scope, {
      connectionId: comparing.row.id,
      processorIds: some.map(({ processorId }) => processorId),
    });
    const known = new Map(charges.map((charge) => [charge.processorId, charge]));
    for (const theirs of some) {
      const charge = known.get(theirs.processorId);
      if (!charge) unknown.push(theirs);
      const found = charge && (await compareKnown(ctx, scope, { comparing, theirs, charge }));
      if (found) findings.push(found);
    }
  }
  // Behind those that are known: what has failed meanwhile was tried once more by one of these.
  for (const theirs of unknown) {
    const found = await compareUnknown(ctx, scope, { comparing, theirs, installId });
    if (found) findings.push(found);
  }
  const seen = new Set(booked.map(({ processorId }) => processorId));
  return [...findings, ...(await findMissing(ctx, scope, { ...comparing, seen }))];
}

interface Known {
  comparing: Comparing;
  theirs: BookedCharge;
  charge: Charge;
}

async function compareKnown(
  ctx: Context,
  scope: Scope,
  { comparing: { provider }, theirs, charge }: Known,
): Promise<Finding | null> {
  const verdict = judgeCharge(theirs, charge);
  if (verdict === 'fine') return null;
  if (verdict !== 'look') return toFinding(verdict, theirs, charge);
  if (charge.status === 'pending') await reconcileCharge(ctx, scope, charge);
  else await settleTaken(ctx, scope, { provider, charge });
  const after = await findCharge(ctx.db, scope, charge.id);
  const isSettled = after && (after.status !== charge.status || after.reversedAt !== null);
  return isSettled ? toFinding('repaired', theirs, after) : null;
}

/** Money of a charge that was held for failed: it settles as any other that comes late. */
async function settleTaken(
  ctx: Context,
  scope: Scope,
  { provider, charge }: { provider: PaymentProvider; charge: Charge },
): Promise<void> {
  const outcome = await provider.lookUp(toLookUpReference(ctx, scope, charge));
  if (outcome.kind !== 'succeeded') return;
  const { id: chargeId, paymentId } = charge;
  await inTransaction(ctx.db, (tx) => settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome }));
}

/** An object that no charge of ours names: a foreign one, or one whose row was lost, or has lost its name. */
async function compareUnknown(
  ctx: Context,
  scope: Scope,
  {
    comparing: { row, provider },
    theirs,
    installId,
  }: { comparing: Comparing; theirs: BookedCharge; installId: string },
): Promise<Finding | null> {
  // It moves nothing.
  if (theirs.status !== 'succeeded') return null;
  const whole = await readWhole(provider, theirs);
  if (!isOfStore(whole, scope, installId)) return toFinding('foreign', theirs, null);
  const { kind, charge } = await adoptLost(ctx, scope, { row, provider, theirs: whole });
  return toFinding(kind, theirs, charge);
}

/** Of some kinds the list leaves out what they were told. */
async function readWhole(provider: PaymentProvider, theirs: BookedCharge): Promise<BookedCharge> {
  if (!theirs.isShort) return theirs;
  return (await provider.books?.findCharge(theirs.processorId)) ?? theirs;
}

/** What we hold for paid, and no movement has proven: its object is read, also where it is older than the window. */
async function findMissing(
  ctx: Context,
  scope: Scope,
  { row, provider, toMs, seen }: Comparing & { seen: ReadonlySet<string> },
): Promise<Finding[]> {
  const unproven = await listUnproven(ctx.db, scope, {
    connectionId: row.id,
    // A test store's clock runs ahead of the processor's.
    settledBefore: scope.testMode ? null : toMs,
    limit: UNPROVEN_MAX,
  });
  const findings: Finding[] = [];
  for (const charge of unproven) {
    if (charge.processorId !== null && seen.has(charge.processorId)) continue;
    const found = await provider.lookUp(toLookUpReference(ctx, scope, charge));
    if (found.kind === 'no_answer' || found.kind === 'succeeded') continue;
    const { amountMinor, currency } = toTaken(charge);
    findings.push({
      kind: 'missing_money',
      processorId: charge.processorId,
      chargeId: charge.id,
      ours: Number(amountMinor),
      theirs: null,
      currency,
    });
  }
  return findings;
}

function toFinding(kind: Finding['kind'], theirs: BookedCharge, charge: Charge | null): Finding {
  const taken = theirs.status === 'succeeded' ? Number(theirs.amountMinor) : null;
  return {
    kind,
    processorId: theirs.processorId,
    chargeId: charge?.id ?? null,
    // Of one that waits for a person it is what was asked for.
    ours: charge ? Number(charge.hold === null ? toTaken(charge).amountMinor : charge.amount) : null,
    theirs: taken,
    currency: theirs.currency,
  };
}
