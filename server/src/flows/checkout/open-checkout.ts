/**
 * A session: what a buyer's page is about. A page that is only looked at writes nothing, since links are opened by
 * whoever meets them; its first call does. Order and payment come into being at the first submit.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { findSession, insertSessionOnce } from '../../resources/checkouts/checkouts.queries.ts';

export type Session = Row<'checkoutSessions'>;

/** What is not paid 24 hours after its session was opened expires. */
const SESSION_MS = 24 * 3_600_000;

export interface NewSession {
  token: string;
  /** One of both is empty: an element has its own cart. */
  elementId: string | null;
  offerIds: string[];
  ipAddress: string | null;
  /** Of the page; the buyer's mails are written in it. Null = not known. */
  language: string | null;
}

/** A session as it would be written now. */
export function draftSession(ctx: Context, { workspaceId, testMode }: Scope, drafted: NewSession): Session {
  return {
    ...drafted,
    workspaceId,
    testMode,
    id: ctx.ids.next(ctx.nowMs),
    orderId: null,
    form: {},
    lastError: null,
    trialSpentBy: null,
    createdAt: ctx.nowMs,
    expiresAt: ctx.nowMs + SESSION_MS,
    writtenRealMs: null,
  };
}

/** Writes a drafted session with what was typed, unless another call of its page has come first. */
export async function writeSession(ctx: Context, draft: Session, form: BuyerForm): Promise<Session> {
  // The store says when it was written.
  const { workspaceId, testMode, lastError: _none, writtenRealMs: _unwritten, ...session } = draft;
  await insertSessionOnce(ctx.db, { workspaceId, testMode }, { ...session, form: toJson(form) });
  const written = await findSession(ctx.db, draft.token);
  assert(written, 'a session that was written is there');
  return written;
}
