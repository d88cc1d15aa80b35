/**
 * A free claim that is made again within a day: whoever types an address may not fill the shop with its orders, nor
 * take the stock of what is given away. The mail of the first one goes out again, a few times.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { countClaimMails, listClaims } from '../../resources/orders/claims.queries.ts';
import { findOrInsertBuyer } from '../../resources/users/users.queries.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { queueBuyerMails } from '../outbox/queue-mail.ts';

const DAY_MS = 24 * 3_600_000;
const MAILS_AGAIN_MAX = 3;

export interface Claim {
  tx: Tx;
  email: string;
  offerIds: readonly string[];
}

/** The order of the first claim, whose mail is queued again; null where something of the cart is not claimed yet. */
export async function repeatClaim(
  ctx: Step,
  scope: Scope,
  { tx, email, offerIds }: Claim,
): Promise<string | null> {
  // Holds the buyer's row: two claims at once are made one after the other.
  const user = await findOrInsertBuyer(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    email,
    createdAt: ctx.nowMs,
  });
  const sinceMs = ctx.nowMs - DAY_MS;
  const claims = await listClaims(tx, scope, { userId: user.id, sinceMs });
  const firstOf = (offerId: string) => claims.find((claim) => claim.offerId === offerId)?.orderId;
  const orderIds = offerIds.flatMap((offerId) => firstOf(offerId) ?? []);
  const [first] = orderIds;
  if (!first || orderIds.length < offerIds.length) return null;
  for (const orderId of new Set(orderIds)) {
    const count = await countClaimMails(tx, scope, { orderId, recipient: user.email ?? '', sinceMs });
    // The first of them is the claim's own.
    if (count > MAILS_AGAIN_MAX) continue;
    const key = `free_claim:${orderId}:${ctx.nowMs}`;
    const isHeldBack = await isMailOneTooMany(ctx, scope, { db: tx, kind: 'free_claim', to: email });
    const mail = { kind: 'free_claim' as const, params: {}, key, at: ctx.nowMs, orderId, isHeldBack };
    await queueBuyerMails(tx, scope, [mail]);
  }
  return first;
}
