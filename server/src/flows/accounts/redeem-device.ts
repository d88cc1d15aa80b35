/** A machine fetches the key pair that a person has allowed it (RFC 8628, 3.4 and 3.5): once, and only what they may give. */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { insertAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import {
  type DeviceRequestRow,
  findAllowingMember,
  lockDevice,
  updateDevice,
} from '../../resources/device-requests/device-requests.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { createKeyPair } from '../workspaces/edit-key-pair.ts';

/** A pair on somebody's machine is not for ever. */
const PAIR_LIFE_MS = 90 * 24 * 3_600_000;
/** Who asks too often is to ask this much more slowly. */
const SLOWER_S = 5;

/** In the words of the RFC. */
export type DeviceRefusal =
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'
  | 'invalid_grant';

export interface DevicePair {
  publicKey: string;
  secretKey: string;
  scopes: string[] | null;
  workspaceId: string;
  testMode: boolean;
  expiresAtMs: number;
}

export type Redeemed = { refusal: DeviceRefusal } | { pair: DevicePair };

type RedeemContext = Pick<Service, 'db' | 'ids' | 'realNowMs'>;

export async function redeemDevice(
  ctx: RedeemContext,
  { deviceCode, requestId }: { deviceCode: string; requestId: string },
): Promise<Redeemed> {
  const hash = hashToken(deviceCode);
  return inTransaction(ctx.db, async (tx) => {
    const row = await lockDevice(tx, hash);
    if (!row || row.status === 'used') return { refusal: 'invalid_grant' };
    const nowMs = ctx.realNowMs();
    if (row.endsRealMs <= nowMs) return { refusal: 'expired_token' };
    if (row.status === 'denied') return { refusal: 'access_denied' };
    if (row.status === 'pending') return { refusal: await holdBack(tx, row, nowMs) };
    await updateDevice(tx, hash, { status: 'used' });
    return makePair(ctx, tx, { row, requestId, nowMs });
  });
}

async function holdBack(tx: Tx, row: DeviceRequestRow, nowMs: number): Promise<DeviceRefusal> {
  const { deviceCodeHash, polledRealMs, intervalS } = row;
  const isEarly = polledRealMs !== null && nowMs - polledRealMs < intervalS * 1000;
  const slower = isEarly ? { intervalS: intervalS + SLOWER_S } : {};
  await updateDevice(tx, deviceCodeHash, { polledRealMs: nowMs, ...slower });
  return isEarly ? 'slow_down' : 'authorization_pending';
}

async function makePair(
  { ids }: RedeemContext,
  tx: Tx,
  { row, requestId, nowMs }: { row: DeviceRequestRow; requestId: string; nowMs: number },
): Promise<Redeemed> {
  const { accountId, workspaceId, testMode, scopes, client } = row;
  assert(accountId && workspaceId && testMode !== null, 'who allows a machine says where');
  const scope = { workspaceId, testMode };
  const maker = await findAllowingMember(tx, { workspaceId, accountId });
  // What they were allowed may have been taken from them since.
  if (!maker) return { refusal: 'access_denied' };
  const name = `account:${accountId}`;
  const expiresAt = nowMs + PAIR_LIFE_MS;
  const input = { name: client, scopes, expiresAt };
  try {
    const made = await createKeyPair({ ids }, scope, { tx, maker, name, nowMs, input });
    const { offsetMs } = testMode ? await getClock(tx, scope) : { offsetMs: 0 };
    const { keyId: objectId, publicKey, secretKey } = made;
    await insertAuditEntry(tx, scope, {
      ...{ id: ids.next(nowMs), actor: name, operation: 'allowDeviceRequest', objectId, before: null },
      after: { name: client, scopes, expiresAt },
      ...{ requestId, createdAt: nowMs + offsetMs },
    });
    return { pair: { publicKey, secretKey, scopes, workspaceId, testMode, expiresAtMs: expiresAt } };
  } catch (error) {
    if (error instanceof Refusal) return { refusal: 'access_denied' };
    throw error;
  }
}
