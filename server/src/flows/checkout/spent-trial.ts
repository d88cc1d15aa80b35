/**
 * A buyer has one trial of a product. It is asked when the buyer submits, and never before: a price that is shown tells
 * nobody whether an e-mail has had one. Over the API it is the merchant who decides.
 */
import { createHmac } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { updateSession } from '../../resources/checkouts/checkouts.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import { hasHadTrial } from '../../resources/subscriptions/trials.queries.ts';
import type { Cart } from '../pricing/quote-cart.ts';

/** The trial is the buyer's no more: they are asked again with the price from the start. */
class TrialSpent extends Refusal {
  constructor() {
    super('price_changed', {
      message: 'You have had a trial of this product already. Please check the new total.',
    });
  }
}

interface AskingTrial {
  tx: Tx;
  cart: Cart;
  /** Locked, so that of two submits at once the second finds the first. */
  userId: string;
  orderId: string;
  /** What tells the card from others; null = nothing does. */
  card: string | null;
}

/** As it is kept: nobody who reads it learns which card it is, or finds it in another store. */
export async function hashFingerprint(
  { db }: Pick<Context, 'db'>,
  { workspaceId, testMode }: Scope,
  fingerprint: string,
): Promise<string> {
  const secret = await getInstallationSecret(db, 'card-fingerprints');
  return createHmac('sha256', secret)
    .update([workspaceId, testMode, fingerprint].join(' '))
    .digest('base64url');
}

/** Throws price_changed where user or card have had a trial of what is in the cart, or begin one just now. */
export async function refuseSpentTrial(
  scope: Scope,
  { tx, cart, userId, orderId, card }: AskingTrial,
): Promise<void> {
  if (cart.trial === null || !cart.settings.oneTrial) return;
  const productIds = cart.lines.map(({ offer }) => offer.productId);
  if (await hasHadTrial(tx, scope, { userId, card, productIds, exceptOrderId: orderId }))
    throw new TrialSpent();
}

/** Whether this is why a purchase was refused. */
export function isTrialSpent(error: unknown): boolean {
  return error instanceof TrialSpent;
}

/** After the refused transaction: from here on this page shows the e-mail the price without a trial. */
export async function noteSpentTrial(
  ctx: Context,
  scope: Scope,
  { error, sessionId, email }: { error: unknown; sessionId: string; email: string | null },
): Promise<void> {
  if (!isTrialSpent(error) || email === null) return;
  await updateSession(ctx.db, scope, { id: sessionId, trialSpentBy: toEmailNormal(email) });
}

/** The cart as it is sold to this e-mail. */
export function withoutSpentTrial(
  cart: Cart,
  { trialSpentBy, email }: { trialSpentBy: string | null; email: string | null },
): Cart {
  const isSpent = email !== null && trialSpentBy !== null && trialSpentBy === toEmailNormal(email);
  return isSpent ? { ...cart, trial: null } : cart;
}
