/** The invoice of a payment that is being settled: its number, and all that it will ever say. */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { BillingDetailsJson } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { toDocumentUrl, toSeries } from '../domain/invoicing/numbering.ts';
import { planInvoice } from '../domain/invoicing/plan-invoice.ts';
import { toNumber } from '../domain/money/money.ts';
import { toSettings } from '../domain/settings.ts';
import { type BilledSale, getBilledSale, insertDocument } from '../resources/invoices/invoices.queries.ts';

const TOKEN_BYTES = 24;

/**
 * Call it last, for a payment of more than 0: the series is the last lock before commit. The payment gets the
 * number with it.
 */
export async function issueInvoice(
  ctx: Context,
  scope: Scope,
  { tx, paymentId }: { tx: Tx; paymentId: string },
): Promise<{ number: string; url: string }> {
  const sale = await getBilledSale(tx, scope, paymentId);
  const settings = toSettings(sale.settings);
  const body = planInvoice(
    {
      testMode: scope.testMode,
      orderNumber: sale.orderNumber,
      paymentNumber: sale.paymentNumber,
      currency: sale.currency,
      value: toNumber(sale.value),
      tax: toNumber(sale.tax),
      // Written when the sale was priced, in the API's form.
      discount: sale.discount as { name: string | null; discountCode: string | null } | null,
      sentences: toSentences(isInitial(sale) ? sale.taxDecision : sale.laterTaxDecision),
      lines: sale.lines,
      buyer: toBuyer(sale),
      buyerEmail: sale.buyerEmail,
      workspaceName: sale.workspaceName,
      method: toMethod(sale.method),
      paidAt: ctx.nowMs,
    },
    settings,
  );
  const token = toToken(ctx);
  const { number } = await insertDocument(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    kind: 'invoice',
    series: toSeries(settings.invoicePrefix, { ...scope, atMs: ctx.nowMs }),
    orderId: sale.orderId,
    paymentId,
    refundId: null,
    refersTo: null,
    currency: sale.currency,
    total: sale.value,
    tax: sale.tax,
    body: JSON.stringify(body),
    token,
    atMs: ctx.nowMs,
    isPaymentNumbered: true,
  });
  return { number, url: toDocumentUrl(ctx.config.publicUrl, token) };
}

/** The secret of a document's link. */
export function toToken(ctx: Context): string {
  return Buffer.from(ctx.ids.randomBytes(TOKEN_BYTES)).toString('base64url');
}

const INITIAL = new Set(['one_time', 'claim_free', 'subscription_initial']);

function isInitial({ type }: BilledSale): boolean {
  return INITIAL.has(type);
}

/** At a purchase the buyer's own words of it win; a renewal goes to whom the user is by now. */
function toBuyer(sale: BilledSale): BillingDetailsJson {
  const { billingDetails, userBillingDetails } = sale;
  if (!isInitial(sale) || billingDetails.countryCode === undefined) return userBillingDetails;
  if (billingDetails.countryCode !== userBillingDetails.countryCode) return billingDetails;
  return { ...userBillingDetails, ...billingDetails };
}

/** The decision's shape is that of `placeOrder`; where none was kept, the lines must tell. */
function toSentences(taxDecision: unknown): string[] | null {
  return (taxDecision as { sentences?: string[] }).sentences ?? null;
}

function toMethod(method: BilledSale['method']): BilledSale['method'] {
  return method ? { type: method.type, brand: method.brand, last4: method.last4 } : null;
}
