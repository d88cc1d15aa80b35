/**
 * What of all that must always hold does not, a line each. `egressAllowCidrs`: of the service that wrote it; null = it is not
 * this one, and what another was allowed to reach is no matter of the settings here.
 */
import type { Db } from '../../db/database.ts';
import { findViolations } from '../../invariants/find-violations.ts';
import { createAddressGuard } from '../../net/address-guard.ts';

export async function findBroken(db: Db, egressAllowCidrs: readonly string[] | null): Promise<string[]> {
  const guard = egressAllowCidrs === null ? null : createAddressGuard(egressAllowCidrs);
  const violations = await findViolations(db, { guard });
  return violations.map(({ number, name }) => `invariant ${number} is broken (${name})`);
}
