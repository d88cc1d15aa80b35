/** Workspaces as the admins of the installation see them: with what they have sold, and no more of it. */
import type { Db } from '../../db/database.ts';
import {
  type CountedWorkspace,
  listOverseenWorkspaces,
} from '../../resources/installation/overview.queries.ts';
import { countPaidOrders } from '../../resources/workspaces/paid-orders.queries.ts';

/** Paid orders are counted no further. */
const PAID_ORDERS_MAX = 10_000;

export async function overseeWorkspaces(
  db: Db,
  asked: Parameters<typeof listOverseenWorkspaces>[1],
): Promise<CountedWorkspace[]> {
  const rows = await listOverseenWorkspaces(db, asked);
  const ids = rows.map(({ id }) => id);
  const paid = await countPaidOrders(db, ids, PAID_ORDERS_MAX);
  return rows.map((row) => ({ ...row, paidOrders: paid.get(row.id) ?? 0 }));
}

export async function overseeWorkspace(db: Db, id: string): Promise<CountedWorkspace | undefined> {
  const page = { take: 1, skip: 0, after: null, before: null };
  const [row] = await overseeWorkspaces(db, { page, term: id });
  return row?.id === id ? row : undefined;
}
