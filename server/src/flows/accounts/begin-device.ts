/** A machine asks for a key pair that a person is to allow (RFC 8628, 3.1). */
import { randomInt } from 'node:crypto';
import type { Service } from '../../context.ts';
import { makeUserCode } from '../../domain/accounts/user-code.ts';
import { toScopes } from '../../domain/key-scopes.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import { insertDeviceRequest } from '../../resources/device-requests/device-requests.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';
import { INSTALLATION } from './decide-device.ts';
import type { Visitor } from './visitor.ts';

const LIFE_MS = 10 * 60_000;
const INTERVAL_S = 5;
/** Of 25 thousand million codes hardly one is taken. */
const TRIES_MAX = 3;

export interface BegunDevice {
  deviceCode: string;
  userCode: string;
  expiresInS: number;
  intervalS: number;
}

/** Throws invalid_input for a scope that there is not, and rate_limited. */
export async function beginDevice(
  { db, config, realNowMs }: Pick<Service, 'db' | 'config' | 'realNowMs'>,
  { client, scopes: asked, visitor }: { client: string; scopes: string[] | null; visitor: Visitor },
): Promise<BegunDevice> {
  const scopes = toScopes(asked);
  const limited = [{ limit: 'device_request_by_address', of: visitor.addressKey }] as const;
  await takeLimited({ config }, INSTALLATION, { db, limited });
  const deviceCode = generateToken();
  const createdAt = realNowMs();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const userCode = makeUserCode((below) => randomInt(below));
    const isMade = await insertDeviceRequest(db, {
      deviceCodeHash: hashToken(deviceCode),
      userCode,
      client,
      address: visitor.ipAddress,
      scopes,
      intervalS: INTERVAL_S,
      endsRealMs: createdAt + LIFE_MS,
      createdAt,
    });
    if (isMade) return { deviceCode, userCode, expiresInS: LIFE_MS / 1000, intervalS: INTERVAL_S };
  }
  throw new Error('no code was free among so many');
}
