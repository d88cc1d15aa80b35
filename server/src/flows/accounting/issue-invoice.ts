/** The invoice of a payment that is being settled: its number, and all that it will ever say. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import type { Scope } from '../../db/scope.ts';
import { toDocumentUrl, toSeries } from '../../domain/invoicing/numbering.ts';
import { planInvoice, type SoldLine } from '../../domain/invoicing/plan-invoice.ts';
import { findLanguage, toLanguage } from '../../domain/languages.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { toNumber } from '../../domain/money/money.ts';
import { toSettings } from '../../domain/settings.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import { insertDocument } from '../../resources/invoices/invoices.queries.ts';
import type { PaymentLineRow } from '../../resources/payments/payment-lines.queries.ts';
import type { LockedSale } from '../../resources/sales/locked-sale.queries.ts';
import type { SoldRows } from '../../resources/sales/sale.view.ts';

export interface InvoicedSale {
  tx: Tx;
  sale: LockedSale;
  items: SoldRows;
  /** What was paid with. */
  method: PaymentMethodDetails | null;
  /** Of a subscription's first payment; both are null of what is none's, and in a trial. */
  firstPeriod: Pick<SoldLine, 'periodStart' | 'periodEnd'>;
}

/**
 * Call it last, for a payment of more than 0: the series is the last lock before commit. The payment gets the
 * number with it.
 */
export async function issueInvoice(
  ctx: Step,
  scope: Scope,
  { tx, sale, items, method, firstPeriod }: InvoicedSale,
): Promise<{ number: string; url: string }> {
  const settings = toSettings(sale.settings);
  const { paymentId, orderId, currency } = sale;
  const body = planInvoice(
    {
      testMode: scope.testMode,
      language:
        findLanguage(sale.userLanguage) ??
        findLanguage(sale.sessionLanguage) ??
        toLanguage(settings.checkout.defaultLanguage),
      orderNumber: sale.orderNumber,
      paymentNumber: sale.paymentNumber,
      currency,
      value: toNumber(sale.paymentValue),
      tax: toNumber(sale.paymentTax),
      // Written when the sale was priced, in the API's form.
      discount: sale.paymentDiscount as { name: string | null; discountCode: string | null } | null,
      sentences: toSentences(isInitial(sale) ? sale.taxDecision : sale.laterTaxDecision),
      lines: toSoldLines(items, firstPeriod),
      buyer: toBuyer(sale),
      buyerEmail: sale.userEmail,
      workspaceName: sale.workspaceName,
      method: method && { type: method.type, brand: method.brand, last4: method.last4 },
      paidAt: ctx.nowMs,
    },
    settings,
  );
  const token = toToken(ctx, scope);
  const { number } = await insertDocument(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    kind: 'invoice',
    series: toSeries(settings.invoicePrefix, { ...scope, atMs: ctx.nowMs }),
    orderId,
    paymentId,
    refundId: null,
    refersTo: null,
    currency,
    total: sale.paymentValue,
    tax: sale.paymentTax,
    body: JSON.stringify(body),
    token,
    atMs: ctx.nowMs,
    isPaymentNumbered: true,
  });
  return { number, url: toDocumentUrl(ctx.config.publicUrl, token) };
}

/** Lines of a later payment say themselves of which days they are; the items of an order are all of the first period. */
function toSoldLines(items: SoldRows, firstPeriod: InvoicedSale['firstPeriod']): SoldLine[] {
  return items.kind === 'lines'
    ? items.rows.map(toSoldLine)
    : items.rows.map((row) => toSoldLine({ ...row, description: null, ...firstPeriod }));
}

/** The columns that the lines of an order and those of a later payment have in common. */
type SoldRow = Pick<
  PaymentLineRow,
  | 'name'
  | 'description'
  | 'internalId'
  | 'quantity'
  | 'inclusive'
  | 'taxReason'
  | 'periodStart'
  | 'periodEnd'
  | 'unitPrice'
  | 'discount'
  | 'tax'
  | 'total'
  | 'taxRates'
  | 'product'
  | 'variant'
>;

function toSoldLine(row: SoldRow): SoldLine {
  const { name, description, internalId, quantity, inclusive, taxReason, periodStart, periodEnd } = row;
  return {
    name,
    description,
    internalId,
    unitPrice: toNumber(row.unitPrice),
    quantity,
    discount: toNumber(row.discount),
    tax: toNumber(row.tax),
    total: toNumber(row.total),
    inclusive,
    taxReason,
    // All three are written in these forms when the line is priced.
    taxRates: row.taxRates as SoldLine['taxRates'],
    product: row.product as SoldLine['product'],
    variant: row.variant as SoldLine['variant'],
    periodStart,
    periodEnd,
  };
}

/** The secret of a document's link. */
export function toToken(ctx: Step, { workspaceId }: Scope): string {
  return toLinkToken(workspaceId, ctx.ids.randomBytes(TOKEN_BYTES));
}

function isInitial({ paymentType }: LockedSale): boolean {
  return isInitialPayment(paymentType);
}

/**
 * A purchase is billed by what its buyer said of it and by nothing else that is known of the e-mail's user: who typed
 * the e-mail may be a stranger to them. Later payments go to whom the subscription is billed to by now.
 */
function toBuyer(sale: LockedSale): BillingDetailsJson {
  return isInitial(sale) ? sale.billingDetails : (sale.subscriptionBillingDetails ?? {});
}

/** The decision's shape is that of `placeOrder`; where none was kept, the lines must tell. */
function toSentences(taxDecision: unknown): string[] | null {
  return (taxDecision as { sentences?: string[] }).sentences ?? null;
}
