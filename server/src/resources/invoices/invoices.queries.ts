/** All SQL of invoices and credit notes. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

export interface NewDocument {
  id: string;
  kind: 'invoice' | 'credit_note';
  series: string;
  orderId: string;
  paymentId: string;
  refundId: string | null;
  refersTo: string | null;
  currency: string;
  total: bigint;
  tax: bigint;
  /** The snapshot without its number and moment, as JSON. */
  body: string;
  token: string;
  atMs: number;
  /** The payment takes the number of its invoice; left out of a credit note. */
  isPaymentNumbered?: true;
}

/**
 * Takes the series' next number and writes the document with it, in one statement: the series' row stays
 * locked until the transaction ends, so that no number is lost or given twice, and everyone who is paid in
 * this store waits for it. The number goes in front of the snapshot before it is hashed.
 */
const finalisation = keepQuery((db, row: Scope & NewDocument) => {
  const written = db
    .with('next', (qb) =>
      qb
        .insertInto('invoiceSeries')
        .values({
          workspaceId: row.workspaceId,
          testMode: row.testMode,
          series: row.series,
          lastNumber: 1,
          lastAt: row.atMs,
        })
        .onConflict((oc) =>
          oc.columns(['workspaceId', 'testMode', 'series']).doUpdateSet((eb) => ({
            lastNumber: eb('invoiceSeries.lastNumber', '+', 1),
            lastAt: sql<number>`greatest(invoice_series.last_at, excluded.last_at)`,
          })),
        )
        .returning(['series', 'lastNumber', 'lastAt']),
    )
    .with('numbered', (qb) =>
      qb
        .selectFrom('next')
        .select([
          'lastNumber',
          'lastAt',
          sql<string>`series || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0')`.as(
            'number',
          ),
        ]),
    )
    .with('written', (qb) =>
      qb.selectFrom('numbered').select([
        'lastNumber',
        'lastAt',
        'number',
        sql<string>`'{"number":' || to_json(number) || ',"finalisedAt":' || last_at || ','
          || substr(${row.body}::text, 2)`.as('snapshot'),
      ]),
    );
  const paid = written.with('paid', (qb) =>
    qb
      .updateTable('payments')
      .set({ invoiceNumber: sql<string>`(select number from numbered)` })
      .where(inScope(row))
      .where('id', '=', row.paymentId)
      .returning('id'),
  );
  return (row.isPaymentNumbered ? paid : written)
    .insertInto('invoices')
    .columns([
      'workspaceId',
      'testMode',
      'id',
      'kind',
      'number',
      'series',
      'position',
      'orderId',
      'paymentId',
      'refundId',
      'refersTo',
      'currency',
      'total',
      'tax',
      'snapshot',
      'snapshotSha256',
      'token',
      'finalisedAt',
    ])
    .expression((qb) =>
      qb
        .selectFrom('written')
        .select([
          sql<string>`${row.workspaceId}::uuid`.as('workspaceId'),
          sql<boolean>`${row.testMode}::boolean`.as('testMode'),
          sql<string>`${row.id}::uuid`.as('id'),
          sql<'invoice'>`${row.kind}::text`.as('kind'),
          'number',
          sql<string>`${row.series}::text`.as('series'),
          'lastNumber as position',
          sql<string>`${row.orderId}::uuid`.as('orderId'),
          sql<string>`${row.paymentId}::uuid`.as('paymentId'),
          sql<string | null>`${row.refundId}::uuid`.as('refundId'),
          sql<string | null>`${row.refersTo}::uuid`.as('refersTo'),
          sql<string>`${row.currency}::text`.as('currency'),
          sql<bigint>`${row.total}::numeric`.as('total'),
          sql<bigint>`${row.tax}::numeric`.as('tax'),
          'snapshot',
          sql<string>`encode(sha256(convert_to(snapshot, 'UTF8')), 'hex')`.as('snapshotSha256'),
          sql<string>`${row.token}::text`.as('token'),
          'lastAt as finalisedAt',
        ]),
    )
    .returning(['number', 'finalisedAt']);
});

/** Call it last: see above. */
export async function insertDocument(
  tx: Tx,
  scope: Scope,
  document: NewDocument,
): Promise<{ number: string; finalisedAt: number }> {
  const [row] = await finalisation(tx, { ...document, ...scopeColumns(scope) });
  assert(row, 'an insert returns its row');
  return row;
}

const invoiceOfPayment = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('invoices')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .where('kind', '=', 'invoice'),
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
    .where('kind', '=', 'credit_note'),
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
    .where('kind', '=', 'credit_note')
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
