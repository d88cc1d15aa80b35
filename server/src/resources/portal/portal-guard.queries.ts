/** All SQL of failures at the door of a portal. Times are real. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

const MINUTE_MS = 60_000;

export async function countFailure(tx: Tx, scope: Scope, nowMs: number): Promise<void> {
  await tx
    .insertInto('portalFailures')
    .values({ ...scopeColumns(scope), minute: Math.floor(nowMs / MINUTE_MS), failures: 1 })
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'minute'])
        .doUpdateSet({ failures: sql<number>`portal_failures.failures + 1` }),
    )
    .execute();
}

/** Since when the store is on its guard, and how often somebody failed in the last minutes. */
export async function findGuard(
  db: Db,
  scope: Scope,
  { nowMs, minutes }: { nowMs: number; minutes: number },
): Promise<{ since: number | null; failures: number }> {
  const { rows } = await sql<{ since: number | null; failures: number }>`
    select (select g.since from portal_guards g where ${inScope(scope, 'g')}) as since,
      coalesce((select sum(f.failures) from portal_failures f
        where ${inScope(scope, 'f')} and f.minute > ${Math.floor(nowMs / MINUTE_MS) - minutes}), 0)::int as failures
    `.execute(db);
  return rows[0] ?? { since: null, failures: 0 };
}

/** Answers whether it was this that put the store on its guard. */
export async function putOnGuard(tx: Tx, scope: Scope, since: number): Promise<boolean> {
  const row = await tx
    .insertInto('portalGuards')
    .values({ ...scopeColumns(scope), since })
    .onConflict((oc) => oc.doNothing())
    .returning('since')
    .executeTakeFirst();
  return row !== undefined;
}

export async function takeOffGuard(tx: Tx, scope: Scope): Promise<void> {
  await tx.deleteFrom('portalGuards').where(inScope(scope)).execute();
}
