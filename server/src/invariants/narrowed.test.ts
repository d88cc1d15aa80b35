/** The invariants as a restore asks them of what it has brought in beside others. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { narrowTo } from '../resources/restores/restores.queries.ts';
import { INVARIANTS } from './find-violations.ts';
import { findOffence } from './invariant.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 1, guardEscapes: false });
});
afterAll(() => database.close());

/** Ends a transaction whose views nobody needs any more. */
class Asked extends Error {}

it('X50 can each be asked of one workspace, through views of its rows', async () => {
  const asking = inTransaction(database.db, async (tx) => {
    await narrowTo(tx, ['018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f']);
    for (const invariant of INVARIANTS) {
      const asked = findOffence(tx, invariant, createAddressGuard([]));
      await expect(asked, `${invariant.number} (${invariant.name})`).resolves.toBeUndefined();
    }
    throw new Asked();
  });
  await expect(asking).rejects.toThrow(Asked);
});
