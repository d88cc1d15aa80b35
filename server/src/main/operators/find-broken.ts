/** What of all that must always hold does not, a line each. */
import type { Db } from '../../db/database.ts';
import { findViolations } from '../../invariants/find-violations.ts';
import { createAddressGuard } from '../../net/address-guard.ts';

export async function findBroken(db: Db, egressAllowCidrs: readonly string[]): Promise<string[]> {
  const violations = await findViolations(db, { guard: createAddressGuard(egressAllowCidrs) });
  return violations.map(({ number, name }) => `invariant ${number} is broken (${name})`);
}
