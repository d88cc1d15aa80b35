/** SQL of the lines of an import, and of what of ours each line is. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { ImportRowsTable } from '../../db/schema/imports.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import type { Brought } from '../../domain/imports/decide.ts';

export type LineRow = Row<'importRows'>;
type NewLine = Omit<Insertable<ImportRowsTable>, 'workspaceId' | 'testMode' | 'importId'>;

export async function insertLines(db: Db, scope: Scope, importId: string, lines: NewLine[]): Promise<void> {
  if (lines.length === 0) return;
  await db
    .insertInto('importRows')
    .values(lines.map((line) => ({ ...scopeColumns(scope), importId, ...line })))
    .execute();
}

export interface Stretch {
  importId: string;
  kind: string;
  afterLine: number;
  limit: number;
}

/** The next lines of a kind, in their order. */
export async function listLines(db: Db, scope: Scope, stretch: Stretch): Promise<LineRow[]> {
  return db
    .selectFrom('importRows')
    .selectAll()
    .where(inScope(scope))
    .where('importId', '=', stretch.importId)
    .where('kind', '=', stretch.kind)
    .where('line', '>', stretch.afterLine)
    .where('done', '=', false)
    .orderBy('line')
    .limit(stretch.limit)
    .execute();
}

/** How many lines a commit has still before it. */
export async function countToDo(db: Db, scope: Scope, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('importRows')
    .where(inScope(scope))
    .where('importId', '=', importId)
    .where('done', '=', false)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The first lines of each ref among those named, without those that could not be read. */
export async function listLinesByRef(
  db: Db,
  scope: Scope,
  { importId, named }: { importId: string; named: ReadonlyArray<{ kind: string; ref: string }> },
): Promise<Array<Pick<LineRow, 'kind' | 'line' | 'body' | 'outcome' | 'code'> & { ref: string }>> {
  if (named.length === 0) return [];
  const { rows } = await sql<Pick<LineRow, 'kind' | 'line' | 'body' | 'outcome' | 'code'> & { ref: string }>`
    select distinct on (r.kind, r.ref) r.kind, r.ref, r.line, r.body, r.outcome, r.code
    from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ ref }) => ref)}::text[]) as n (kind, ref)
    join import_rows r on ${inScope(scope, 'r')} and r.import_id = ${importId}::uuid
      and r.kind = n.kind and r.ref = n.ref and r.body is not null
    order by r.kind, r.ref, r.line`.execute(db);
  return rows;
}

/** The first discounts of the file with each of these codes, in small letters; what is refused for another reason is one, too. */
export async function listLinesByCode(
  db: Db,
  scope: Scope,
  { importId, codes }: { importId: string; codes: readonly string[] },
): Promise<Array<{ code: string; line: number }>> {
  if (codes.length === 0) return [];
  const { rows } = await sql<{ code: string; line: number }>`
    select lower(r.body ->> 'code') as code, min(r.line)::int as line from import_rows r
    where ${inScope(scope, 'r')} and r.import_id = ${importId}::uuid and r.kind = 'discount'
      and lower(r.body ->> 'code') = any(${[...codes]}::text[])
    group by 1`.execute(db);
  return rows;
}

export async function listBrought(
  db: Db,
  scope: Scope,
  { source, named }: { source: string; named: ReadonlyArray<{ kind: string; ref: string }> },
): Promise<Array<Brought & { kind: string; ref: string }>> {
  if (named.length === 0) return [];
  const { rows } = await sql<Brought & { kind: string; ref: string }>`
    select f.kind, f.ref, f.object_id, f.body_hash, f.object_version
    from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ ref }) => ref)}::text[]) as n (kind, ref)
    join import_refs f on ${inScope(scope, 'f')} and f.source = ${source} and f.kind = n.kind and f.ref = n.ref`.execute(
    db,
  );
  return rows;
}

export interface NewRef extends Brought {
  kind: string;
  ref: string;
  nextAt: number | null;
  nextTotal: bigint | null;
}

export async function upsertRefs(
  tx: Tx,
  scope: Scope,
  { source, importId, refs }: { source: string; importId: string; refs: NewRef[] },
): Promise<void> {
  if (refs.length === 0) return;
  await tx
    .insertInto('importRefs')
    .values(refs.map((ref) => ({ ...scopeColumns(scope), source, importId, ...ref })))
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode', 'source', 'kind', 'ref']).doUpdateSet((eb) => ({
        objectId: eb.ref('excluded.objectId'),
        bodyHash: eb.ref('excluded.bodyHash'),
        objectVersion: eb.ref('excluded.objectVersion'),
        importId: eb.ref('excluded.importId'),
        nextAt: eb.ref('excluded.nextAt'),
        nextTotal: eb.ref('excluded.nextTotal'),
      })),
    )
    .execute();
}

export type DecidedLine = Pick<
  LineRow,
  'line' | 'outcome' | 'decision' | 'code' | 'path' | 'message' | 'warnings' | 'charges' | 'priceChange'
>;

/** What was decided of these lines, in one statement. */
export async function writeDecisions(
  db: Db,
  scope: Scope,
  importId: string,
  decided: readonly DecidedLine[],
): Promise<void> {
  if (decided.length === 0) return;
  await sql`
    update import_rows r set outcome = d.outcome, decision = d.decision, code = d.code, path = d.path,
      message = d.message, warnings = coalesce(d.warnings, '[]'), charges = coalesce(d.charges, '[]'),
      price_change = d.price_change
    from jsonb_to_recordset(${toJson(
      decided.map(({ priceChange, ...line }) => ({ ...line, price_change: priceChange })),
    )}::jsonb)
      as d (line integer, outcome text, decision text, code text, path text, message text, warnings jsonb,
        charges jsonb, price_change jsonb)
    where ${inScope(scope, 'r')} and r.import_id = ${importId}::uuid and r.line = d.line`.execute(db);
}

/** These lines are brought in, or left out for good. */
export async function markDone(
  tx: Tx,
  scope: Scope,
  importId: string,
  lines: readonly number[],
): Promise<void> {
  await sql`update import_rows set done = true
    where ${inScope(scope)} and import_id = ${importId}::uuid and line = any(${[...lines]}::integer[])`.execute(
    tx,
  );
}

/** What was brought in is not kept twice; of what was refused stays why. */
export async function forgetBodies(db: Db, scope: Scope, importId: string): Promise<void> {
  await db
    .deleteFrom('importRows')
    .where(inScope(scope))
    .where('importId', '=', importId)
    .where(sql<SqlBool>`outcome is distinct from 'refused'`)
    .execute();
  await db
    .updateTable('importRows')
    .set({ body: null })
    .where(inScope(scope))
    .where('importId', '=', importId)
    .execute();
}

/** Sums of what was decided: the plan. */
export async function sumDecisions(db: Db, scope: Scope, importId: string) {
  const of = sql<SqlBool>`${inScope(scope, 'r')} and r.import_id = ${importId}::uuid`;
  const [counts, charges, totals] = await Promise.all([
    sql<{ kind: string; outcome: string; count: number }>`
      select r.kind, r.outcome, count(*)::int as count from import_rows r where ${of}
      group by r.kind, r.outcome`.execute(db),
    sql<{ day: string; currency: string; count: number; amount: bigint }>`
      select c.day, r.body ->> 'currency' as currency, count(*)::int as count, sum(c.amount)::bigint as amount
      from import_rows r, jsonb_to_recordset(r.charges) as c (day text, amount bigint)
      where ${of} and r.kind = 'subscription'
      group by c.day, r.body ->> 'currency' order by c.day, 2`.execute(db),
    sql<{ lines: number; warnings: number; errors: number; changes: number; hash: string }>`
      select count(*)::int as lines, coalesce(sum(jsonb_array_length(r.warnings)), 0)::int as warnings,
        count(*) filter (where r.outcome = 'refused')::int as errors, count(r.price_change)::int as changes,
        encode(sha256(convert_to(coalesce(string_agg(coalesce(r.ref, '') || coalesce(r.decision, ''), ';' order by r.line), ''),
          'UTF8')), 'hex') as hash
      from import_rows r where ${of}`.execute(db),
  ]);
  return { counts: counts.rows, charges: charges.rows, totals: totals.rows[0] };
}

export async function listWarned(db: Db, scope: Scope, importId: string, limit: number) {
  const { rows } = await sql<{ line: number; kind: string; ref: string | null; code: string }>`
    select r.line, r.kind, r.ref, w.code from import_rows r, jsonb_array_elements_text(r.warnings) as w (code)
    where ${inScope(scope, 'r')} and r.import_id = ${importId}::uuid order by r.line limit ${limit}::int`.execute(
    db,
  );
  return rows;
}

export async function listPriceChanges(db: Db, scope: Scope, importId: string, limit: number) {
  const { rows } = await sql<{ line: number; ref: string; currency: string; theirs: number; ours: number }>`
    select r.line, r.ref, r.body ->> 'currency' as currency, (r.price_change ->> 'theirs')::bigint as theirs,
      (r.price_change ->> 'ours')::bigint as ours
    from import_rows r
    where ${inScope(scope, 'r')} and r.import_id = ${importId}::uuid and r.price_change is not null
    order by r.line limit ${limit}::int`.execute(db);
  return rows;
}

export async function listRefused(
  db: Db,
  scope: Scope,
  { importId, afterLine, limit }: { importId: string; afterLine: number; limit: number },
) {
  return db
    .selectFrom('importRows')
    .select(['line', 'kind', 'ref', 'code', 'path', 'message'])
    .where(inScope(scope))
    .where('importId', '=', importId)
    .where('outcome', '=', 'refused')
    .where('line', '>', afterLine)
    .orderBy('line')
    .limit(limit)
    .execute();
}
