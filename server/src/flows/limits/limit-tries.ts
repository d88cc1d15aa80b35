/** How often a payment may be tried by its link alone: each try asks a bank, and a decline is one more mail. */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { type LimitContext, type Limited, refuseSpent, takeLimited } from './count-limited.ts';

export interface Trying {
  tx: Tx;
  paymentId: string;
  ipAddress: string;
  /** Of whoever owes it; null where it is not known. */
  email: string | null;
}

/** In the transaction that opens the charge. Throws rate_limited, and too_many_declines for the address and the e-mail. */
export async function takeTry(
  ctx: LimitContext,
  scope: Scope,
  { tx, paymentId: of, ipAddress, email }: Trying,
): Promise<void> {
  const declines: Limited[] = [{ limit: 'decline_by_address', of: toAddressKey(ipAddress) }];
  if (email !== null) declines.push({ limit: 'decline_by_email', of: toEmailNormal(email) });
  await refuseSpent(ctx, scope, { db: tx, limited: declines, code: 'too_many_declines' });
  await takeLimited(ctx, scope, {
    db: tx,
    limited: [
      { limit: 'owed_try_by_payment', of },
      { limit: 'owed_try_by_payment_in_all', of },
    ],
  });
}
