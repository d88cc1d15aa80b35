/** SQL of the sweep: which workspaces nobody uses, and what was said of it. Times are real. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { SweepFacts, SweepStep, Warned } from '../../domain/workspaces/sweep.ts';
import { isSeen } from './restoring.sql.ts';

export interface Activity {
  workspaceId: string;
  activeAt: number;
}

/** Of two processes the later moment stays. */
export async function noteActivity(db: Db, uses: readonly Activity[]): Promise<void> {
  for (const use of uses) {
    await db
      .insertInto('workspaceActivity')
      .values(use)
      .onConflict((oc) =>
        oc
          .column('workspaceId')
          .doUpdateSet((eb) => ({ activeAt: eb.ref('excluded.activeAt') }))
          .whereRef('workspaceActivity.activeAt', '<', 'excluded.activeAt'),
      )
      .execute();
  }
}

export type SweptRow = Pick<
  Row<'workspaces'>,
  'id' | 'name' | 'state' | 'stateBy' | 'stateSince' | 'keptByAdmin' | 'createdAt'
> & {
  activeAt: number | null;
  /** When its Owner last signed in. */
  ownerSignedInAt: number | null;
  ownerEmail: string | null;
  /** Of the live store: what was tried in the test store is no business. */
  hasPaidOrder: boolean;
  step: SweepStep | null;
  noticedAt: number | null;
  firstAt: number | null;
  secondAt: number | null;
  mailId: string | null;
  ownerId: string | null;
};

/** Workspaces in the order of their ids, after `afterId`. */
export async function listSwept(
  db: Db,
  { afterId, limit, id }: { afterId: string | null; limit: number; id?: string },
): Promise<Array<Omit<SweptRow, 'hasPaidOrder'>>> {
  let query = db
    .selectFrom('workspaces as w')
    .leftJoin('workspaceActivity as a', 'a.workspaceId', 'w.id')
    .leftJoin('workspaceSweeps as s', 's.workspaceId', 'w.id')
    .leftJoin('memberships as m', (join) =>
      join.onRef('m.workspaceId', '=', 'w.id').on('m.role', '=', 'owner'),
    )
    .leftJoin('accounts as o', 'o.id', 'm.accountId')
    .select(['w.id', 'w.name', 'w.state', 'w.stateBy', 'w.stateSince', 'w.keptByAdmin', 'w.createdAt'])
    .select([
      'a.activeAt',
      'o.email as ownerEmail',
      's.step',
      's.noticedAt',
      's.firstAt',
      's.secondAt',
      's.mailId',
      'o.id as ownerId',
    ])
    .select([
      sql<number | null>`(select max(created_at) from account_audit
        where account_id = m.account_id and operation = 'signIn')`.as('ownerSignedInAt'),
    ])
    .where(isSeen('w'))
    .orderBy('w.id')
    .limit(limit);
  if (afterId !== null) query = query.where(sql<SqlBool>`w.id > ${afterId}`);
  if (id !== undefined) query = query.where('w.id', '=', id);
  return query.execute();
}

export function toSweepFacts(row: SweptRow): SweepFacts {
  const { state, stateBy, stateSince, step } = row;
  return {
    state,
    stateBy,
    stateSince,
    lastActiveAt: Math.max(row.createdAt, row.activeAt ?? 0, row.ownerSignedInAt ?? 0),
    isKept: row.keptByAdmin || row.hasPaidOrder,
    warned:
      step === null ? null : { step, noticedAt: row.noticedAt, firstAt: row.firstAt, secondAt: row.secondAt },
  };
}

/** What was said before a step; that of another step is over. */
export async function putWarned(
  tx: Tx,
  { workspaceId, ...warned }: Warned & { workspaceId: string; mailId: string | null; actsAt: number },
): Promise<void> {
  await tx
    .insertInto('workspaceSweeps')
    .values({ workspaceId, ...warned })
    .onConflict((oc) => oc.column('workspaceId').doUpdateSet(warned))
    .execute();
}

export async function endSweep(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('workspaceSweeps').where('workspaceId', '=', workspaceId).execute();
}
