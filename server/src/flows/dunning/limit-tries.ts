/** How often what is owed may be tried by its link alone: each try asks a bank, and a decline is one more mail. */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { type LimitContext, refuseSpent, takeLimited } from '../limits/count-limited.ts';

/** In the transaction that opens the charge. Throws rate_limited, and too_many_declines for the address. */
export async function takeTry(
  ctx: LimitContext,
  scope: Scope,
  { tx, paymentId: of, ipAddress }: { tx: Tx; paymentId: string; ipAddress: string },
): Promise<void> {
  await refuseSpent(ctx, scope, {
    db: tx,
    limited: [{ limit: 'decline_by_address', of: toAddressKey(ipAddress) }],
    code: 'too_many_declines',
  });
  await takeLimited(ctx, scope, {
    db: tx,
    limited: [
      { limit: 'owed_try_by_payment', of },
      { limit: 'owed_try_by_payment_in_all', of },
    ],
  });
}
