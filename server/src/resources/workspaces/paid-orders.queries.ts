/** What workspaces have sold, for whoever looks at several of them. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { readTogether } from '../../db/transaction.ts';

const counting = keepQuery((db, { workspaceId, max }: { workspaceId: string; max: number }) => {
  const query = sql<{ count: number }>`
    select count(*)::int as count from (
      select from orders where workspace_id = ${workspaceId}::uuid and not test_mode and paid_at is not null
      limit ${max}::int) paid`;
  return { compile: () => query.compile(db) };
});

/** Live orders that were paid, by workspace; none is counted further than `max`. Each workspace is asked by itself. */
export async function countPaidOrders(
  db: Db,
  workspaceIds: readonly string[],
  max: number,
): Promise<Map<string, number>> {
  return readTogether(db, async (one) => {
    const counts = await Promise.all(
      workspaceIds.map(async (workspaceId) => {
        const [row] = await counting(one, { workspaceId, max });
        return [workspaceId, row?.count ?? 0] as const;
      }),
    );
    return new Map(counts);
  });
}
