/** The number of an invoice, from a gapless series per store and year. */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { toSettings } from '../domain/settings.ts';
import { nextDocumentNumber } from '../resources/invoices/invoices.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/** Locks the series until the transaction ends: call it last. Year = UTC of the workspace's clock. */
export async function takeInvoiceNumber(ctx: Context, scope: Scope, tx: Tx): Promise<string> {
  const { settings } = await getStore(tx, scope);
  const { invoicePrefix } = toSettings(settings);
  const prefix = scope.testMode ? `TEST-${invoicePrefix}` : invoicePrefix;
  const year = new Date(ctx.nowMs).getUTCFullYear();
  const number = await nextDocumentNumber(tx, scope, `${prefix}-${year}`);
  return `${prefix}-${year}-${String(number).padStart(6, '0')}`;
}
