/**
 * Which scans of a statement are served by no index once its plan is made for any values, as it is within a transaction: a
 * condition on a value does not prove the condition of a partial index, however often that value is the same.
 */
import type pg from 'pg';

type Asking = Pick<pg.ClientBase, 'query'>;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  Plans?: Plan[];
}

interface Index {
  relation: string;
  condition: string | null;
  columns: string[];
}

const OF_SCOPE = new Set(['workspace_id', 'test_mode']);

export async function readIndexes(client: Asking): Promise<Index[]> {
  const { rows } = await client.query<Index>(`
    select t.relname as relation, pg_get_expr(x.indpred, x.indrelid) as condition,
      array(select a.attname from unnest(x.indkey) with ordinality k(number, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by place)::text[] as columns
    from pg_index x join pg_class t on t.oid = x.indrelid where t.relnamespace = current_schema()::regnamespace`);
  return rows;
}

/** Each as "table: what is compared". The client has `plan_cache_mode` and `enable_seqscan` set. */
export async function findUnserved(
  client: Asking,
  indexes: readonly Index[],
  text: string,
): Promise<string[]> {
  const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = count === 0 ? '' : `(${Array(count).fill('null').join(',')})`;
  await client.query(`prepare asked as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': Array<{ Plan: Plan }> }>(
    `explain (format json) execute asked${values}`,
  );
  await client.query('deallocate asked');
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => listUnserved(Plan, indexes)));
}

function listUnserved(plan: Plan, indexes: readonly Index[]): string[] {
  const below = (plan.Plans ?? []).flatMap((child) => listUnserved(child, indexes));
  const relation = plan['Relation Name'];
  if (relation === undefined || !plan['Node Type'].includes('Scan')) return below;
  const sought = plan['Index Cond'] ?? plan['Recheck Cond'] ?? '';
  const filter = plan.Filter ?? '';
  const found = listCompared(sought);
  const filtered = listCompared(filter).filter((column) =>
    /(?:^|_)(?:id|token|number|reference)$/.test(column),
  );
  if (found.length > 0 || /[<>]/.test(sought) || filtered.length === 0) return below;
  const compared = new Set([...found, ...listCompared(filter)]);
  const isServed = indexes.some((index) => serves(index, relation, compared));
  return isServed ? below : [...below, `${relation}: ${filter}`];
}

/** A plan of an empty store takes any index that leads with the store: what counts is whether there is a better one. */
function serves({ relation, condition, columns }: Index, of: string, compared: ReadonlySet<string>): boolean {
  const [first] = columns.filter((column) => !OF_SCOPE.has(column));
  if (relation !== of || first === undefined || !compared.has(first)) return false;
  return condition === null || condition === `(${first} IS NOT NULL)`;
}

/** Columns that are held to be equal to something, those of the store aside. */
function listCompared(condition: string): string[] {
  return [...condition.matchAll(/(?:\(|\s)"?(\w+)"?(?:\)::\w+)? = /g)]
    .map(([, column]) => String(column))
    .filter((column) => !OF_SCOPE.has(column));
}
