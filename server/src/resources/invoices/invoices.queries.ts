/** All SQL of invoices and credit notes. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import { assert } from '../../domain/assert.ts';
import { type NewDocument, toCount, toDocument, toNumbered, toWritten } from './invoices.sql.ts';
import { insertDocumentApart } from './invoices-apart.queries.ts';

/**
 * Takes the series' next number and writes the document with it, in one statement: the series' row stays
 * locked until the transaction ends, so that no number is lost or given twice, and everyone who is paid in
 * this store waits for it.
 */
const finalisation = keepQuery((db, row: Scope & NewDocument) => {
  const written = db
    .with('next', (qb) => toCount(qb, row).returning(['series', 'lastNumber', 'lastAt']))
    .with('numbered', (qb) => toNumbered(qb))
    .with('written', (qb) => toWritten(qb, row));
  const paid = written.with('paid', (qb) =>
    qb
      .updateTable('payments')
      .set({ invoiceNumber: sql<string>`(select number from numbered)` })
      .where(inScope(row))
      .where('id', '=', row.paymentId)
      .returning('id'),
  );
  return toDocument(row.isPaymentNumbered ? paid : written, row);
});

/** Call it last: see above. */
export async function insertDocument(
  tx: Tx,
  scope: Scope,
  document: NewDocument,
): Promise<{ number: string; finalisedAt: number }> {
  const [row] = isSpread(tx)
    ? await insertDocumentApart(tx, scope, document)
    : await finalisation(tx, { ...document, ...scopeColumns(scope) });
  assert(row, 'an insert returns its row');
  return row;
}

/** Constants of the text: by a value, which a plan made once knows nothing of, no index of these alone is used. */
const INVOICE = sql.lit('invoice' as const);
const CREDIT_NOTE = sql.lit('credit_note' as const);

const invoiceOfPayment = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('kind', '=', INVOICE),
);

export async function findInvoiceOfPayment(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<Row<'invoices'> | undefined> {
  const [row] = await invoiceOfPayment(db, { ...scopeColumns(scope), paymentId });
  return row;
}

const creditNoteSums = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('invoices')
    .select([
      sql<bigint>`coalesce(sum(total), 0)::minor_units`.as('totalMinor'),
      sql<bigint>`coalesce(sum(tax), 0)::minor_units`.as('taxMinor'),
    ])
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('kind', '=', CREDIT_NOTE),
);

/** What the credit notes of a payment have given back in all, tax in, and the tax within it. */
export async function sumCreditNotes(
  db: Db,
  scope: Scope,
  paymentId: string,
): Promise<{ totalMinor: bigint; taxMinor: bigint }> {
  const [row] = await creditNoteSums(db, { ...scopeColumns(scope), paymentId });
  assert(row, 'a sum has its row');
  return row;
}

/** The snapshots of a payment's credit notes, in no order. */
export async function listCreditNoteSnapshots(db: Db, scope: Scope, paymentId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('invoices')
    .select('snapshot')
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('kind', '=', CREDIT_NOTE)
    .execute();
  return rows.map(({ snapshot }) => snapshot);
}

/** Notes the PDF that was made first; false when another one was before. */
export async function updateDocumentPdf(
  tx: Tx,
  scope: Scope,
  { id, sha256, size }: { id: string; sha256: string; size: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('invoices')
    .set({ pdfSha256: sha256, pdfSize: size })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('pdfSha256', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
