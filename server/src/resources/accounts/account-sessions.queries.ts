/** Sessions of the dashboard. The cookie's token is kept as its SHA-256 alone. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { AccountSessionsTable } from '../../db/schema/accounts.ts';
import type { Row } from '../../db/schema.ts';
import type { SignInMethod } from '../../domain/accounts/session-life.ts';
import type { HeldReason } from '../../domain/held.ts';
import type { Permissions, Role } from '../../domain/roles.ts';
import { isSeen } from '../workspaces/restoring.sql.ts';

export interface StandingMembership {
  id: string;
  workspaceId: string;
  name: string;
  state: Row<'workspaces'>['state'];
  stateBy: Row<'workspaces'>['stateBy'];
  warnedUntil: number | null;
  heldSince: number | null;
  heldReason: HeldReason | null;
  isCopy: boolean;
  requireSecondFactor: boolean;
  role: Role;
  permissions: Permissions | null;
}

/** A session with all that a request asks of it. */
export interface StandingSession {
  sessionId: string;
  accountId: string;
  email: string;
  name: string;
  language: string;
  hasPassword: boolean;
  isInstallationAdmin: boolean;
  emailProvedAt: number | null;
  /** Until its mailbox is proved the account acts in this workspace alone. */
  confinedWorkspaceId: string | null;
  method: SignInMethod;
  isTwoFactor: boolean;
  /** Whether the account has a second factor or a passkey. */
  hasSecondFactor: boolean;
  provedAt: number | null;
  createdAt: number;
  usedAt: number;
  endsAt: number;
  memberships: StandingMembership[];
}

/** One statement, since it is asked for each session every few seconds. */
export async function findSession(db: Db, tokenHash: string): Promise<StandingSession | undefined> {
  return findWhere(db, sql`s.token_hash = ${tokenHash}`);
}

export async function findSessionById(db: Db, id: string): Promise<StandingSession | undefined> {
  return findWhere(db, sql`s.id = ${id}`);
}

async function findWhere(db: Db, condition: RawBuilder<unknown>): Promise<StandingSession | undefined> {
  const { rows } = await sql<StandingSession>`
    select s.id as "sessionId", a.id as "accountId", a.email, a.name, a.language,
      a.password_hash is not null as "hasPassword", a.installation_admin as "isInstallationAdmin",
      a.email_proved_at as "emailProvedAt", a.confined_workspace_id as "confinedWorkspaceId", s.method,
      s.two_factor as "isTwoFactor", s.proved_at as "provedAt", s.created_at as "createdAt", s.used_at as "usedAt",
      s.ends_at as "endsAt",
      exists (select from account_totp t where t.account_id = a.id and t.confirmed_at is not null)
        or exists (select from account_passkeys p where p.account_id = a.id) as "hasSecondFactor",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', m.id, 'workspaceId', w.id, 'name', w.name, 'state', w.state,
          'stateBy', w.state_by, 'warnedUntil', sw.acts_at,
          'heldSince', coalesce(l.held_since, i.held_since), 'heldReason', coalesce(l.held_reason, i.held_reason),
          'isCopy', i.is_copy, 'requireSecondFactor', w.require_second_factor, 'role', m.role,
          'permissions', m.permissions)
          order by m.created_at, m.id)
        from memberships m join workspaces w on w.id = m.workspace_id
        join stores l on l.workspace_id = w.id and not l.test_mode cross join installation_state i
        left join workspace_sweeps sw on sw.workspace_id = w.id where m.account_id = a.id and ${isSeen('w')}
      ), '[]') as memberships
    from account_sessions s join accounts a on a.id = s.account_id
    where ${condition} and a.disabled_at is null`.execute(db);
  return rows[0];
}

export async function insertSession(tx: Tx, session: Selectable<AccountSessionsTable>): Promise<void> {
  await tx.insertInto('accountSessions').values(session).execute();
}

/** A proof makes a new token: the old one is nobody's at once. */
export async function updateSession(
  tx: Tx,
  {
    id,
    ...changes
  }: { id: string } & Partial<Pick<Selectable<AccountSessionsTable>, 'tokenHash' | 'provedAt' | 'twoFactor'>>,
): Promise<void> {
  await tx.updateTable('accountSessions').set(changes).where('id', '=', id).execute();
}

/** Notes that sessions were used; `usedAt` in real ms by session. */
export async function updateSessionUses(
  db: Db,
  uses: ReadonlyArray<{ sessionId: string; usedAt: number }>,
): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    update account_sessions s set used_at = greatest(s.used_at, u.used_at)
    from unnest(${uses.map(({ sessionId }) => sessionId)}::uuid[], ${uses.map(({ usedAt }) => usedAt)}::bigint[])
      as u (id, used_at)
    where s.id = u.id`.execute(db);
}

export async function listSessions(
  db: Db,
  accountId: string,
): Promise<Array<Selectable<AccountSessionsTable>>> {
  return db
    .selectFrom('accountSessions')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('usedAt', 'desc')
    .orderBy('id')
    .execute();
}

/** Ends one session of an account; false when there is none. */
export async function deleteSession(
  db: Db,
  { accountId, id }: { accountId: string; id: string },
): Promise<boolean> {
  const gone = await db
    .deleteFrom('accountSessions')
    .where('accountId', '=', accountId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return gone !== undefined;
}

/** Ends all sessions of an account but `keptId`; answers how many. */
export async function deleteSessions(
  db: Db,
  { accountId, keptId }: { accountId: string; keptId: string | null },
): Promise<number> {
  const gone = await db
    .deleteFrom('accountSessions')
    .where('accountId', '=', accountId)
    .$if(keptId !== null, (query) => query.where('id', '!=', keptId ?? ''))
    .returning('id')
    .execute();
  return gone.length;
}
