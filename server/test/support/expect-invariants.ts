import { expect } from 'vitest';
import { findViolations } from '../../src/invariants/find-violations.ts';
import { createAddressGuard } from '../../src/net/address-guard.ts';
import type { TestApp } from './harness.ts';

/** Whatever a journey did: nothing that must always hold is broken now. Call it before the application closes. */
export async function expectInvariants({ service }: TestApp): Promise<void> {
  const guard = createAddressGuard(service.config.egressAllowCidrs);
  expect(await findViolations(service.db, { guard })).toEqual([]);
}
