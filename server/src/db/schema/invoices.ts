import type { Defaulted, Scoped } from './columns.ts';

export interface InvoiceTables {
  invoiceSeries: InvoiceSeriesTable;
  invoiceGaps: InvoiceGapsTable;
  invoices: InvoicesTable;
}

export interface InvoiceSeriesTable extends Scoped {
  series: string;
  lastNumber: number;
  lastAt: Defaulted<number>;
}

/** Finalised documents: the store refuses every change but the PDF's, once. */
export interface InvoicesTable extends Scoped {
  id: string;
  kind: 'invoice' | 'credit_note';
  number: string;
  series: string;
  position: number;
  orderId: string;
  paymentId: string;
  refundId: string | null;
  refersTo: string | null;
  currency: string;
  total: bigint;
  tax: bigint;
  /** The hashed bytes; parsed by whoever shows them. */
  snapshot: string;
  snapshotSha256: string;
  token: string;
  finalisedAt: number;
  pdfSha256: string | null;
  pdfSize: number | null;
}

/** Numbers that a lost copy may have given out: they are never given again. */
export interface InvoiceGapsTable extends Scoped {
  series: string;
  fromNumber: number;
  toNumber: number;
  createdAt: number;
}
