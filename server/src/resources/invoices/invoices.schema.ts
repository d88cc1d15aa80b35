/** Invoices and credit notes in the API. */
import { type Static, Type } from 'typebox';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { ID_OR_DOCUMENT_NUMBER } from '../../domain/numbers.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Component,
  Currency,
  CurrencyInput,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { ListedInvoiceRow } from './listed-invoices.queries.ts';

const Kind = StringEnum(['invoice', 'credit_note']);

export const Invoice = Answer('Invoice', {
  object: StringEnum(['invoice']),
  id: Uuid(),
  kind: Kind,
  number: Type.String(),
  orderId: Uuid(),
  orderNumber: Type.String(),
  paymentId: Uuid(),
  refundId: Nullable(Uuid({ description: 'Of a credit note: the refund that it is about.' })),
  refersTo: Nullable(Uuid({ description: 'Of a credit note: the invoice that it lowers.' })),
  userId: Uuid(),
  userEmail: Nullable(Type.String()),
  country: Nullable(Type.String()),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  total: Minor({ description: 'Tax in; of a credit note what it gives back.' }),
  tax: Minor(),
  url: Type.String({ description: 'The PDF: whoever has the link may open it; it does not expire.' }),
  createdAt: Ms({ description: 'When it was finalised.' }),
});

export const InvoiceParams = Type.Object({
  invoiceIdOrNumber: Type.String({ pattern: ID_OR_DOCUMENT_NUMBER, maxLength: 64 }),
});
export const ListInvoices = Type.Object({
  ...pageQuery,
  kinds: Type.Optional(Type.Array(Kind, { maxItems: 10 })),
  kind: Type.Optional(Type.Array(Kind, { maxItems: 10 })),
  currencies: Type.Optional(Type.Array(CurrencyInput(), { maxItems: 100 })),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  userId: Type.Optional(Uuid()),
  orderId: Type.Optional(Uuid()),
  paymentId: Type.Optional(Uuid()),
  number: Type.Optional(Type.String({ maxLength: 64, description: 'The whole number.' })),
  returnCount: Type.Optional(Type.Boolean()),
});
export const InvoiceData = Answer(null, { invoice: Component(Invoice) });
export const InvoicesData = Answer(null, { invoices: Type.Array(Component(Invoice)), ...pageAnswer });

export function toInvoice(row: ListedInvoiceRow, publicUrl: string): Static<typeof Invoice> {
  const { token, total, tax, finalisedAt, ...same } = row;
  return {
    object: 'invoice',
    ...same,
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof Invoice>['currency'],
    currencyDecimals: currencyDecimals(row.currency),
    total: Number(total),
    tax: Number(tax),
    url: toDocumentUrl(publicUrl, token),
    createdAt: finalisedAt,
  };
}
