/**
 * A session: what a buyer's page is about. A page that is only looked at writes nothing, since links are opened by
 * whoever meets them; its first call does. Order and payment come into being at the first submit.
 */
import type { Context, Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { type BuyerForm, listSaid } from '../../domain/checkout/buyer.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import { insertSessionOnce } from '../../resources/checkouts/checkouts.queries.ts';
import { findSession } from '../../resources/links/links.queries.ts';
import { takeLimited } from '../limits/count-limited.ts';

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
export function draftSession(ctx: Step, { workspaceId, testMode }: Scope, drafted: NewSession): Session {
  return {
    ...drafted,
    workspaceId,
    testMode,
    id: ctx.ids.next(ctx.nowMs),
    orderId: null,
    form: {},
    lastError: null,
    trialSpentBy: null,
    byMerchant: false,
    userId: null,
    reference: null,
    redirectUrl: null,
    cancelUrl: null,
    origin: null,
    lockedFields: [],
    setQuantities: {},
    openedByHash: null,
    reminderAsked: false,
    viewedAt: null,
    frame: null,
    started: false,
    createdAt: ctx.nowMs,
    expiresAt: ctx.nowMs + SESSION_MS,
    writtenRealMs: null,
  };
}

/** What came along with a link, and is kept with the session that it opens. */
export interface LinkDetails {
  reference: string | null;
  redirectUrl: string | null;
}

/**
 * Writes a drafted session with what was typed, unless another call of its page has come first. Whoever has a link may
 * make some in a while: throws rate_limited.
 */
export async function writeSession(
  ctx: Context,
  draft: Session,
  { form, link }: { form: BuyerForm; link: LinkDetails },
): Promise<Session> {
  const { workspaceId, testMode, ipAddress } = draft;
  const whole = { ...draft, ...link, form: { ...form } };
  await inTransaction(ctx.db, async (tx) => {
    // What counts is the session: several first calls of one page make one.
    const isMade = await insertDraft(tx, { workspaceId, testMode }, whole);
    if (!isMade || ipAddress === null) return;
    const limited = [{ limit: 'session_by_address' as const, of: toAddressKey(ipAddress) }];
    await takeLimited(ctx, draft, { db: tx, limited });
  });
  const written = await findSession(ctx.db, draft.token);
  assert(written, 'a session that was written is there');
  return written;
}

/** Whether no other call has written it before. */
export async function insertDraft(db: Db, scope: Scope, draft: Session): Promise<boolean> {
  // The store says when it was written.
  const { workspaceId: _w, testMode: _t, lastError: _none, writtenRealMs: _unwritten, ...session } = draft;
  const { form, setQuantities } = session;
  return insertSessionOnce(db, scope, {
    ...session,
    form: toJson(listSaid(form)),
    setQuantities: toJson(setQuantities),
  });
}
