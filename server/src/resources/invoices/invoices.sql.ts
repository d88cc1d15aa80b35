/** The SQL by which a document is written, by one statement as well as apart. */
import { type QueryCreator, sql } from 'kysely';
import type { Tables } from '../../db/schema.ts';
import { type Scope, scopeColumns } from '../../db/scope.ts';

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

/** The series' row as it stands once it has counted this document. */
interface Counted {
  series: string;
  lastNumber: number;
  lastAt: number;
}

interface Numbered extends Omit<Counted, 'series'> {
  number: string;
}

interface Written extends Numbered {
  snapshot: string;
}

/** Counts a document of the series, whose row stays locked. */
export const toCount = (db: QueryCreator<Tables>, row: Scope & NewDocument) =>
  db
    .insertInto('invoiceSeries')
    .values({ ...scopeColumns(row), series: row.series, lastNumber: 1, lastAt: row.atMs })
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode', 'series']).doUpdateSet((eb) => ({
        lastNumber: eb('invoiceSeries.lastNumber', '+', 1),
        lastAt: sql<number>`greatest(invoice_series.last_at, excluded.last_at)`,
      })),
    );

export const toNumbered = (db: QueryCreator<{ next: Counted }>) =>
  db
    .selectFrom('next')
    .select([
      'lastNumber',
      'lastAt',
      sql<string>`series || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0')`.as(
        'number',
      ),
    ]);

/** The number goes in front of the snapshot before it is hashed. */
export const toWritten = (db: QueryCreator<{ numbered: Numbered }>, { body }: NewDocument) =>
  db.selectFrom('numbered').select([
    'lastNumber',
    'lastAt',
    'number',
    sql<string>`'{"number":' || to_json(number) || ',"finalisedAt":' || last_at || ','
          || substr(${body}::text, 2)`.as('snapshot'),
  ]);

export const toDocument = (db: QueryCreator<Tables & { written: Written }>, row: Scope & NewDocument) =>
  db
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
