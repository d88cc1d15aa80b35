/** What of the portals is over. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { deleteOver, type ListingOver, listOver, type OverRow, type OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** So long an ended session stays to be told of. */
const KEPT_MS = 7 * 24 * 3_600_000;

const ended = sql<SqlBool>`r.ends_at <= (select real_now_ms())`;
const byEnd = { isOver: ended, since: sql`r.ends_at` };

/** Rows that go without anything else. */
export const OLD_PORTAL_ROWS: readonly OverRows[] = [
  {
    table: 'portal_sessions',
    key: { id: 'uuid' },
    isOver: sql`r.ends_at <= (select real_now_ms()) - ${KEPT_MS}::bigint`,
    since: sql`r.ends_at`,
  },
  {
    table: 'portal_failures',
    key: { minute: 'bigint' },
    isOver: sql`r.minute < (select real_now_ms()) / 60000 - 60`,
    since: sql`r.minute`,
  },
  { table: 'portal_exports', key: { user_id: 'uuid' }, ...byEnd },
];

const CODES: OverRows = { table: 'portal_codes', key: { id: 'uuid' }, ...byEnd };
const CHANGES: OverRows = {
  table: 'portal_email_changes',
  key: { id: 'uuid', user_id: 'uuid' },
  ...byEnd,
};

/** Rows whose mail opens nothing any more: its words go first. */
export const OLD_MAILED_ROWS = [
  { of: CODES, mail: 'magic_link' },
  { of: CHANGES, mail: 'email_change_note' },
] as const;

export async function deleteMailedRows(
  tx: Tx,
  scope: Scope,
  { of, mail, rows }: { of: OverRows; mail: string; rows: readonly OverRow[] },
): Promise<number> {
  await blankMails(tx, scope, { mail, rows });
  return deleteOver(tx, scope, { of, rows });
}

/** Changes of an address whose code is over, while they may still be confirmed otherwise. */
export async function listOldChangeCodes(db: Db, listing: ListingOver): Promise<OverRow[]> {
  const isOver = sql<SqlBool>`r.code_ends_at <= (select real_now_ms())`;
  return listOver(db, { ...CHANGES, isOver }, listing);
}

/** Takes the words of their mails, once these are written; answers how many had any. */
export async function blankChangeCodes(db: Db, scope: Scope, rows: readonly OverRow[]): Promise<number> {
  return blankMails(db, scope, { mail: 'email_change_code', rows, which: sql`and html is not null` });
}

async function blankMails(
  db: Db,
  scope: Scope,
  { mail, rows, which = sql`` }: { mail: string; rows: readonly OverRow[]; which?: RawBuilder<unknown> },
): Promise<number> {
  // Those of an earlier release name the change alone.
  const keys = rows.flatMap(({ key }) => [`${mail}:${key[0]}`, `${mail}:${key.join(':')}`]);
  const { numAffectedRows } = await sql`
    update mails set letter = null, html = null, plain = null, params = '{}'
    where ${inScope(scope)} and key = any(${keys}::text[]) ${which}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Former addresses that lead nowhere any more; they are of workspaces, and few. */
export async function deleteOldSlugs(db: Db, workspaceIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from portal_former_slugs
    where workspace_id = any(${workspaceIds}::uuid[]) and ends_at <= real_now_ms()`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
