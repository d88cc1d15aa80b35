/** New secrets for what was restored without: those that others sign or are let in by. They are shown now and never again. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { generateKeyPair, hashSecret } from '../../resources/api-keys/key-pairs.ts';
import {
  listLivingPairs,
  listLivingWebhooks,
  setPairSecret,
  setWebhookSecret,
} from '../../resources/restores/renewed-secrets.queries.ts';

const SECRET_BYTES = 24;

export interface RenewedSecret {
  mode: 'test' | 'live';
  /** The public key of a pair, or the address of a webhook. */
  of: string;
  secret: string;
}

export async function renewSecrets(
  tx: Tx,
  ids: Pick<Ids, 'randomBytes'>,
  { scopes, nowMs }: { scopes: readonly Scope[]; nowMs: number },
): Promise<RenewedSecret[]> {
  const renewed: RenewedSecret[] = [];
  for (const scope of scopes) {
    const mode = scope.testMode ? 'test' : 'live';
    for (const { id, publicKey } of await listLivingPairs(tx, scope, nowMs)) {
      const { secretKey: secret } = generateKeyPair(scope.testMode);
      await setPairSecret(tx, scope, { id, secretHash: hashSecret(secret), secretLast4: secret.slice(-4) });
      renewed.push({ mode, of: publicKey, secret });
    }
    for (const { id, url } of await listLivingWebhooks(tx, scope)) {
      const secret = `whsec_${Buffer.from(ids.randomBytes(SECRET_BYTES)).toString('base64')}`;
      await setWebhookSecret(tx, scope, { id, secret });
      renewed.push({ mode, of: url, secret });
    }
  }
  return renewed;
}
