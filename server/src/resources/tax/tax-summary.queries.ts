/** What tax was taken in a window, by the documents that told the buyers of it. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { Span } from '../../domain/figures/buckets.ts';

export interface TaxSum {
  currency: string;
  country: string | null;
  region: string | null;
  name: string | null;
  /** As the documents say it: 19 = 19 %. */
  percentage: string | null;
  taxable: bigint;
  tax: bigint;
  payments: number;
}

/** Credit notes take away what their invoices added. */
export async function sumDocumentTaxes(db: Db, scope: Scope, { fromMs, toMs }: Span): Promise<TaxSum[]> {
  const { rows } = await sql<TaxSum>`
    select i.currency, t.country, t.region, t.name, t.percentage::text as percentage,
      sum(case i.kind when 'invoice' then t.taxable else -t.taxable end) as taxable,
      sum(case i.kind when 'invoice' then t.amount else -t.amount end) as tax,
      count(distinct i.payment_id) filter (where i.kind = 'invoice') as payments
    from invoices i
    cross join lateral jsonb_to_recordset(i.snapshot::jsonb -> 'taxes')
      as t (name text, country text, region text, percentage numeric, taxable numeric, amount numeric)
    where ${inScope(scope, 'i')} and i.finalised_at >= ${fromMs}::bigint and i.finalised_at < ${toMs}::bigint
    group by i.currency, t.country, t.region, t.name, t.percentage
    order by i.currency, t.country, t.region nulls first, t.percentage desc, t.name`.execute(db);
  return rows;
}

/** What the books have of it, by currency: the figure `taxCollected`. */
export async function sumBookedTax(
  db: Db,
  scope: Scope,
  { fromMs, toMs }: Span,
): Promise<Array<{ currency: string; tax: bigint }>> {
  const { rows } = await sql<{ currency: string; tax: bigint }>`
    select l.currency, -sum(l.amount) as tax from ledger_entries l
    where ${inScope(scope, 'l')} and l.account = 'tax_payable' and l.kind in ('charge', 'refund', 'dispute_lost')
      and l.created_at >= ${fromMs}::bigint and l.created_at < ${toMs}::bigint
    group by l.currency order by l.currency`.execute(db);
  return rows;
}
