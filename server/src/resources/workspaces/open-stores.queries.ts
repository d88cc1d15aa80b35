/** Stores that are looked after: neither held, since they may be copies, nor still coming in. */

import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { OfStores } from '../../db/scope.ts';
import { isHeld } from '../installation/held.sql.ts';
import { isSeen } from './restoring.sql.ts';

export async function listOpenStores(db: Db): Promise<OfStores> {
  const rows = await db
    .selectFrom('stores as s')
    .innerJoin('workspaces as w', 'w.id', 's.workspaceId')
    .select(['s.workspaceId', 's.testMode'])
    .where(isSeen('w'))
    .where(sql<boolean>`not ${isHeld('s')}`)
    .execute();
  const idsOf = (testMode: boolean) =>
    rows.filter((row) => row.testMode === testMode).map(({ workspaceId }) => workspaceId);
  return { testIds: idsOf(true), liveIds: idsOf(false) };
}
