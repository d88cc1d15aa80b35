/** Letters to accounts. Who reads them could become somebody: they are in no list, and their texts are erased. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { toJson } from '../../db/scope.ts';
import { HELD_SINCE } from '../installation/held.sql.ts';

export const ACCOUNT_MAIL_KINDS = [
  'link',
  'reset',
  'sign_up',
  'email_change',
  'invitation',
  'inactivity',
  'workspace_state',
  'transfer',
  'failures',
  'recovery_code_used',
  'changed',
] as const;
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

export interface NewAccountMail {
  id: string;
  kind: AccountMailKind;
  recipient: string;
  params: Record<string, unknown>;
  endsAt: number;
  createdAt: number;
}

export async function insertAccountMail(db: Db, { params, ...mail }: NewAccountMail): Promise<void> {
  await db
    .insertInto('accountMails')
    .values({ ...mail, params: toJson(params), dueAt: mail.createdAt })
    .execute();
}

export type AccountMailRow = Row<'accountMails'>;

const LEASE_MS = 60_000;

/** What lets people in: all else waits while the installation may be a copy of one that lives. */
const SENT_WHILE_HELD: readonly AccountMailKind[] = ['link', 'reset'];

/** Takes what is due, so that no other process sends it meanwhile. */
export async function takeAccountMails(db: Db, { nowMs, limit }: { nowMs: number; limit: number }) {
  return db
    .updateTable('accountMails')
    .set({ leaseUntil: nowMs + LEASE_MS, attempts: sql<number>`attempts + 1` })
    .where('id', 'in', (query) =>
      query
        .selectFrom('accountMails')
        .select('id')
        .where('status', '=', 'queued')
        .where('dueAt', '<=', nowMs)
        .where('leaseUntil', '<=', nowMs)
        .where(sql<SqlBool>`(${HELD_SINCE} is null or kind = any(${[...SENT_WHILE_HELD]}::text[]))`)
        .orderBy('dueAt')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** Its text goes with the end of its work. */
export async function endAccountMail(
  db: Db,
  { id, status }: { id: string; status: 'sent' | 'failed' | 'dropped' },
): Promise<void> {
  await db.updateTable('accountMails').set({ status, params: null }).where('id', '=', id).execute();
}

export async function postponeAccountMail(
  db: Db,
  { id, dueAt }: { id: string; dueAt: number },
): Promise<void> {
  await db.updateTable('accountMails').set({ dueAt, leaseUntil: 0 }).where('id', '=', id).execute();
}

/** What waits with a link of the account's: to set its password, or to bear another address. */
export async function dropWaitingLinks(
  db: Db,
  { accountId, recipient }: { accountId: string; recipient: string },
): Promise<void> {
  await db
    .updateTable('accountMails')
    .set({ status: 'dropped', params: null })
    .where('status', '=', 'queued')
    .where(
      sql<SqlBool>`((kind = 'reset' and recipient = ${recipient})
        or (kind = 'email_change' and params ->> 'accountId' = ${accountId}))`,
    )
    .execute();
}

/** Undefined where it is there no more. */
export async function findAccountMailStatus(
  db: Db,
  id: string,
): Promise<Row<'accountMails'>['status'] | undefined> {
  const mail = await db.selectFrom('accountMails').select('status').where('id', '=', id).executeTakeFirst();
  return mail?.status;
}

/** How many of a kind were sent to an address since a moment. */
export async function countAccountMails(
  db: Db,
  { recipient, kind, since }: { recipient: string; kind: string; since: number },
): Promise<number> {
  const row = await db
    .selectFrom('accountMails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('recipient', '=', recipient)
    .where('kind', '=', kind)
    .where('createdAt', '>', since)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return row.count;
}
