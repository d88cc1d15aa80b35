/** What the admins of the installation see of it: no store's data. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { onPage, type Page } from '../../db/list.ts';
import type { Row } from '../../db/schema.ts';
import { toJson } from '../../db/scope.ts';
import {
  INSTALLATION_DEFAULTS,
  type InstallationSettings,
} from '../../domain/workspaces/installation-settings.ts';
import { isSeen } from '../workspaces/restoring.sql.ts';

const SETTINGS = 'settings';

export async function getInstallationSettings(db: Db): Promise<InstallationSettings> {
  const kept = await db
    .selectFrom('installationSettings')
    .select('body')
    .where('name', '=', SETTINGS)
    .executeTakeFirst();
  // We wrote it ourselves; what a newer release added has its default.
  return { ...INSTALLATION_DEFAULTS, ...(kept?.body as Partial<InstallationSettings> | undefined) };
}

export async function putInstallationSettings(tx: Tx, settings: InstallationSettings): Promise<void> {
  const body = toJson(settings);
  await tx
    .insertInto('installationSettings')
    .values({ name: SETTINGS, body })
    .onConflict((oc) => oc.column('name').doUpdateSet({ body }))
    .execute();
}

export type OverseenWorkspace = Row<'workspaces'> & {
  ownerEmail: string | null;
  activeAt: number | null;
  ownerSignedInAt: number | null;
};

/** Newest first; `term` finds names, ids and Owners' e-mails. */
export async function listOverseenWorkspaces(
  db: Db,
  { page, state, term }: { page: Page; state?: Row<'workspaces'>['state']; term?: string },
): Promise<OverseenWorkspace[]> {
  let query = db
    .selectFrom('workspaces as w')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.workspaceId', '=', 'w.id').on('m.role', '=', 'owner'),
    )
    .leftJoin('accounts as o', 'o.id', 'm.accountId')
    .leftJoin('workspaceActivity as a', 'a.workspaceId', 'w.id')
    .selectAll('w')
    .select(['o.email as ownerEmail', 'a.activeAt'])
    .select([
      sql<number | null>`(select max(created_at) from account_audit
        where account_id = m.account_id and operation = 'signIn')`.as('ownerSignedInAt'),
    ]);
  query = query.where(isSeen('w'));
  if (state !== undefined) query = query.where('w.state', '=', state);
  if (term !== undefined) {
    const like = `%${term.replace(/[\\%_]/g, '\\$&').toLowerCase()}%`;
    query = query.where(
      sql<SqlBool>`(lower(w.name) like ${like} or w.id::text = ${term.toLowerCase()} or o.email_normal like ${like})`,
    );
  }
  return onPage(query, page, { by: 'w.createdAt', id: 'w.id', direction: 'desc' }).execute();
}

/** With its paid orders, which each workspace is asked for. */
export type CountedWorkspace = OverseenWorkspace & { paidOrders: number };

export type OverseenAccount = Row<'accounts'> & { workspaces: number; lastSignInAt: number | null };

/** Newest first; `term` finds names and e-mails. */
export async function listOverseenAccounts(
  db: Db,
  { page, term, id }: { page: Page; term?: string; id?: string },
): Promise<OverseenAccount[]> {
  let query = db
    .selectFrom('accounts as a')
    .selectAll('a')
    .select([
      sql<number>`(select count(*)::int from memberships m where m.account_id = a.id)`.as('workspaces'),
      sql<number | null>`(select max(created_at) from account_audit
        where account_id = a.id and operation = 'signIn')`.as('lastSignInAt'),
    ]);
  if (id !== undefined) query = query.where('a.id', '=', id);
  if (term !== undefined) {
    const like = `%${term.replace(/[\\%_]/g, '\\$&').toLowerCase()}%`;
    query = query.where(sql<SqlBool>`(lower(a.name) like ${like} or a.email_normal like ${like})`);
  }
  return onPage(query, page, { by: 'a.createdAt', id: 'a.id', direction: 'desc' }).execute();
}

/** Admins that can sign in; their rows are locked, so that of two changes neither takes the last one away. */
export async function lockActiveAdmins(tx: Tx): Promise<string[]> {
  const rows = await tx
    .selectFrom('accounts')
    .select('id')
    .where('installationAdmin', '=', true)
    .where('disabledAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export interface InstallationFigures {
  workspaces: Record<'active' | 'suspended' | 'archived', number>;
  accounts: number;
  /** Of what is due by now and not being done. */
  overdue: number;
  oldestOverdueMs: number | null;
  mailsWaiting: number;
  /** When a worker last did upkeep (real time); null = none has. */
  workerAt: number | null;
}

export async function readInstallationFigures(db: Db): Promise<InstallationFigures> {
  const all = await db.selectFrom('workspaces').select('id').execute();
  const due = sql<Pick<InstallationFigures, 'overdue' | 'oldestOverdueMs'>>`
    select count(*)::int as overdue, (select real_now_ms()) - min(due_real_ms) as oldest_overdue_ms
    from due_work where workspace_id = any(${all.map(({ id }) => id)}::uuid[])
      and due_real_ms <= (select real_now_ms()) and coalesce(lease_until_ms, 0) <= (select real_now_ms())`;
  const { rows } = await sql<
    Omit<InstallationFigures, 'workspaces' | 'overdue' | 'oldestOverdueMs'> &
      Record<keyof InstallationFigures['workspaces'], number>
  >`select
      (select count(*)::int from workspaces where state = 'active') as active,
      (select count(*)::int from workspaces where state = 'suspended') as suspended,
      (select count(*)::int from workspaces where state = 'archived') as archived,
      (select count(*)::int from accounts) as accounts,
      (select count(*)::int from account_mails where status = 'queued') as mails_waiting,
      (select max(worker_at_ms) from upkeep) as worker_at`.execute(db);
  const [row] = rows;
  const [overdue] = (await due.execute(db)).rows;
  if (!row || !overdue) throw new Error('a select without a table answers one row');
  const { active, suspended, archived, ...figures } = row;
  return { ...figures, ...overdue, workspaces: { active, suspended, archived } };
}
