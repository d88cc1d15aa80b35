/** The credit note of a refund that has succeeded, in the transaction in which it did. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { type BillingLine, toTaxKey } from '../../domain/billing/line.ts';
import { toDocumentUrl, toSeries } from '../../domain/invoicing/numbering.ts';
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
  getCreditedRefund,
  insertDocument,
  listCreditNoteSnapshots,
  sumCreditNotes,
} from '../../resources/invoices/invoices.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { toToken } from './issue-invoice.ts';

/**
 * Call it last, with the payment locked; the caller writes the number into the refund. Null when the payment
 * has no invoice.
 */
export async function issueCreditNote(
  ctx: Context,
  scope: Scope,
  { tx, refundId }: { tx: Tx; refundId: string },
): Promise<{ number: string; url: string } | null> {
  const refund = await getCreditedRefund(tx, scope, refundId);
  const invoice = await findInvoiceOfPayment(tx, scope, refund.paymentId);
  if (!invoice) return null;
  const snapshot = parseSnapshot(invoice.snapshot);
  const before = await listCreditedLines(tx, scope, { paymentId: refund.paymentId, snapshot });
  const { settings } = await getStore(tx, scope);

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
    refundId,
    refersTo: invoice.id,
    currency: invoice.currency,
    total: refund.amount,
    tax: refund.tax,
    body: JSON.stringify(body),
    token,
    atMs: ctx.nowMs,
  });
  return { number, url: toDocumentUrl(ctx.config.publicUrl, token) };
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
async function listCreditedLines(
  tx: Tx,
  scope: Scope,
  { paymentId, snapshot }: { paymentId: string; snapshot: Snapshot },
): Promise<SnapshotLine[]> {
  const summed = toCreditedLines(snapshot, await sumCreditNotes(tx, scope, paymentId));
  if (summed) return summed;
  const notes = await listCreditNoteSnapshots(tx, scope, paymentId);
  return notes.flatMap((note) => parseSnapshot(note).lines);
}
