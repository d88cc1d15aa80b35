/** Cards that were declined for somebody without the secret key: that is how stolen ones are tried out. */
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { countLimited, type LimitContext, type Limited } from './count-limited.ts';

export interface Declined {
  db: Db;
  /** The processor's word and its kind; what never came to a bank tries no card out. */
  outcome: { decline: string; reason: string };
  /** Of the checkout; null where there is none. */
  sessionId: string | null;
  /** Or its key. */
  ipAddress: string | null;
  email: string | null;
}

/** Declines that say nothing of a card: the processor could not be asked, or the payment was called off. */
function saysNothing({ decline, reason }: Declined['outcome']): boolean {
  return reason === 'canceled' || (decline === 'technical' && reason !== 'invalid_card');
}

/** In the transaction that settles the decline, last of all: whoever shares the address waits for it. */
export async function countDecline(
  ctx: LimitContext,
  scope: Scope,
  { db, outcome, sessionId, ipAddress, email }: Declined,
): Promise<void> {
  if (saysNothing(outcome)) return;
  const limited: Limited[] = [];
  if (sessionId !== null) limited.push({ limit: 'decline_by_session', of: sessionId });
  if (ipAddress !== null) limited.push({ limit: 'decline_by_address', of: toAddressKey(ipAddress) });
  if (email !== null) limited.push({ limit: 'decline_by_email', of: toEmailNormal(email) });
  await countLimited(ctx, scope, { db, limited });
}
