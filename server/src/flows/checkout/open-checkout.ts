/** Opening a page writes only a session; order and payment come into being at the first submit. */
import type { Context } from '../../context.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { insertSession } from '../../resources/checkouts/checkouts.queries.ts';

/** What is not paid 24 hours after its session was opened expires. */
export const SESSION_MS = 24 * 3_600_000;

export interface Opening {
  elementId: string | null;
  offerIds: string[];
  form: Partial<BuyerForm>;
  ipAddress: string;
  /** Of the page; the buyer's mails are written in it. Null = not known. */
  language: string | null;
}

export async function openCheckout(ctx: Context, scope: Scope, opening: Opening): Promise<string> {
  const id = ctx.ids.next(ctx.nowMs);
  await insertSession(ctx.db, scope, {
    id,
    elementId: opening.elementId,
    offerIds: opening.offerIds,
    form: toJson(opening.form),
    ipAddress: opening.ipAddress,
    language: opening.language,
    createdAt: ctx.nowMs,
    expiresAt: ctx.nowMs + SESSION_MS,
  });
  return id;
}
