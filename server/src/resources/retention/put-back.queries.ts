/** Rows that retention has let go of, back from what was written down before (RETAIN_EXPORT). */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';

/** In an order in which each comes after those it refers to. */
const TABLES = [
  'events',
  'webhook_deliveries',
  'webhook_attempts',
  'mails',
  'audit_log',
  'workspace_audit',
  'account_audit',
] as const;

/** Texts that were let go while their row stayed. */
const TEXTS = { events: ['body', 'expired_at'], mails: ['letter', 'html', 'plain', 'expired_at'] } as const;

/**
 * Inserts what is not there, and gives rows that stayed their texts back; answers how many rows changed. `line` is JSON
 * that names tables and holds the rows of each; other tables are refused.
 */
export async function putBack(tx: Tx, line: string): Promise<number> {
  // Checked by name right below.
  const given = JSON.parse(line) as Record<string, Array<{ workspace_id?: string }>>;
  const named = Object.keys(given);
  const strange = named.find((name) => !TABLES.some((table) => table === name));
  if (strange !== undefined) throw new Error(`a line names ${strange}, which retention never lets go of`);
  let count = 0;
  for (const table of TABLES) {
    if (!named.includes(table)) continue;
    const name = sql.table(table);
    // As it was written: a number of ours may be larger than JavaScript's.
    const rows = sql`jsonb_populate_recordset(null::${name}, ${line}::jsonb -> ${table})`;
    const made = await sql`insert into ${name} select * from ${rows} on conflict do nothing`.execute(tx);
    count += Number(made.numAffectedRows ?? 0n);
    if (table !== 'events' && table !== 'mails') continue;
    const columns = TEXTS[table];
    const sets = sql.join(columns.map((column) => sql`${sql.ref(column)} = g.${sql.ref(column)}`));
    const ids = [...new Set(given[table]?.map((row) => row.workspace_id))];
    const texts = await sql`update ${name} r set ${sets} from ${rows} g
      where r.workspace_id = g.workspace_id and r.test_mode = g.test_mode and r.id = g.id
        and r.workspace_id = any(${ids}::uuid[]) and r.expired_at is not null and g.expired_at is null`.execute(
      tx,
    );
    count += Number(texts.numAffectedRows ?? 0n);
  }
  return count;
}
