/** The credit note of a refund that has succeeded, in the transaction in which it did. */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { toDocumentUrl, toSeries } from '../domain/invoicing/numbering.ts';
import { planCreditNote } from '../domain/invoicing/plan-credit-note.ts';
import { parseSnapshot } from '../domain/invoicing/snapshot.ts';
import { toSettings } from '../domain/settings.ts';
import {
  findInvoiceOfPayment,
  getCreditedRefund,
  insertDocument,
  listCreditNotesOfPayment,
} from '../resources/invoices/invoices.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
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
  const notes = await listCreditNotesOfPayment(tx, scope, refund.paymentId);
  const { settings } = await getStore(tx, scope);

  const body = planCreditNote(
    parseSnapshot(invoice.snapshot),
    notes.map((note) => parseSnapshot(note.snapshot)),
    { amountMinor: refund.amount, taxMinor: refund.tax, reason: refund.reason, refundedAt: ctx.nowMs },
  );

  const token = toToken(ctx);
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
