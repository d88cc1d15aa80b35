/** The credit note of a refund that has succeeded, in the transaction in which it did. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { type BillingLine, toTaxKey } from '../../domain/billing/line.ts';
import { toSeries } from '../../domain/invoicing/numbering.ts';
import {
  type CreditedTax,
  planCreditNote,
  toCreditedLines,
} from '../../domain/invoicing/plan-credit-note.ts';
import { parseSnapshot, type Snapshot, type SnapshotLine } from '../../domain/invoicing/snapshot.ts';
import { toSettings } from '../../domain/settings.ts';
import { readLines } from '../../domain/subscriptions/stored-plan.ts';
import {
  findInvoiceOfPayment,
  insertDocument,
  listCreditNoteSnapshots,
  sumCreditNotes,
} from '../../resources/invoices/invoices.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { toToken } from './issue-invoice.ts';

export type CreditedRefund = Pick<
  Row<'refunds'>,
  'id' | 'amount' | 'tax' | 'reason' | 'paysBack' | 'creditLines'
>;

/** A credit note that has no number yet. */
export interface DraftedNote {
  snapshot: Snapshot;
  invoice: Row<'invoices'>;
  before: SnapshotLine[];
  settings: Record<string, unknown>;
}

/** Reads what a credit note says, before its series is locked. Null when the payment, which is locked, has no invoice. */
export async function draftCreditNote(
  scope: Scope,
  { tx, paymentId }: { tx: Tx; paymentId: string },
): Promise<DraftedNote | null> {
  const [invoice, sums, { settings }] = await Promise.all([
    findInvoiceOfPayment(tx, scope, paymentId),
    sumCreditNotes(tx, scope, paymentId),
    getStore(tx, scope),
  ]);
  if (!invoice) return null;
  const snapshot = parseSnapshot(invoice.snapshot);
  const before = toCreditedLines(snapshot, sums) ?? (await listCreditedLines(tx, scope, paymentId));
  return { snapshot, invoice, before, settings };
}

/** Call it last: it locks the series. The caller writes the number into the refund. */
export async function issueCreditNote(
  ctx: Step,
  scope: Scope,
  { tx, refund, draft }: { tx: Tx; refund: CreditedRefund; draft: DraftedNote },
): Promise<{ number: string; token: string }> {
  const { snapshot, invoice, before, settings } = draft;
  const body = planCreditNote(snapshot, before, {
    amountMinor: refund.amount,
    taxMinor: refund.tax,
    reason: refund.reason,
    refundedAt: ctx.nowMs,
    ofTaxes: refund.paysBack ? readLines(refund.creditLines).map(toCreditedTax) : null,
  });

  const token = toToken(ctx, scope);
  const { number } = await insertDocument(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    kind: 'credit_note',
    series: toSeries(toSettings(settings).creditNotePrefix, { ...scope, atMs: ctx.nowMs }),
    orderId: invoice.orderId,
    paymentId: invoice.paymentId,
    refundId: refund.id,
    refersTo: invoice.id,
    currency: invoice.currency,
    total: refund.amount,
    tax: refund.tax,
    body: JSON.stringify(body),
    token,
    atMs: ctx.nowMs,
  });
  return { number, token };
}

/** What a credit that is paid back takes of its own tax. */
function toCreditedTax(line: BillingLine): CreditedTax {
  return {
    taxKey: toTaxKey(line),
    netMinor: line.tax - line.total,
    taxMinor: line.taxRates.map(({ amount }) => -BigInt(amount)),
  };
}

/** A payment may have hundreds of notes: they are read one by one only where several taxes share them. */
async function listCreditedLines(tx: Tx, scope: Scope, paymentId: string): Promise<SnapshotLine[]> {
  const notes = await listCreditNoteSnapshots(tx, scope, paymentId);
  return notes.flatMap((note) => parseSnapshot(note).lines);
}
