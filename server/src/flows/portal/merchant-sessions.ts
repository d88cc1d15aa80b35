/** Sessions that a merchant opens for a buyer: a link that opens once, and a bearer for pages of their own. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import { fromShortId, toLinkToken } from '../../domain/link-token.ts';
import { isOfSubscription, type PortalFlow } from '../../domain/portal/portal-path.ts';
import { LINK_OPEN_MS, MERCHANT_LIFE_MS } from '../../domain/portal/session-life.ts';
import { isReturnUrl } from '../../domain/return-url.ts';
import { generateToken, hashToken } from '../../resources/accounts/tokens.ts';
import { hasOffer } from '../../resources/offers/offers.queries.ts';
import {
  insertPortalSession,
  openByLink,
  type PortalSessionRow,
  revokePortalSession,
} from '../../resources/portal/portal-sessions.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { getUser } from '../../resources/users/users.queries.ts';
import type { OpenedPortal, Visitor } from './open-session.ts';
import { findPortalUrl } from './portal-address.ts';

const TOKEN_BYTES = 32;

export interface MerchantSession {
  tx: Tx;
  user: Row<'users'>;
  flow: PortalFlow;
  /** Its id. */
  subscriptionId: string | null;
  offerId: string | null;
  returnUrl: string | null;
  afterFlow: 'portal' | 'return';
  language: string | null;
}

export interface CreatedSession {
  session: PortalSessionRow;
  url: string;
  token: string;
}

/** Throws archived, not_found for an unknown offer and another user's subscription, and invalid_input for what cannot be. */
export async function createMerchantSession(
  ctx: Context,
  scope: Scope,
  { tx, user, ...asked }: MerchantSession,
): Promise<CreatedSession> {
  if (user.archivedAt !== null) throw new Refusal('archived');
  await checkTask(tx, scope, { userId: user.id, ...asked });
  const nowMs = ctx.realNowMs();
  const newToken = () => toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES));
  const [link, token] = [newToken(), newToken()];
  const session = await insertPortalSession(tx, scope, {
    ...asked,
    id: ctx.ids.next(nowMs),
    userId: user.id,
    method: 'merchant',
    linkHash: hashToken(link),
    bearerHash: hashToken(token),
    provedAt: nowMs,
    userAgent: '',
    openUntil: nowMs + LINK_OPEN_MS,
    createdAt: nowMs,
    endsAt: nowMs + MERCHANT_LIFE_MS,
  });
  const query = asked.language === null ? '' : `?svc-language=${asked.language}`;
  const url = await findPortalUrl({ ...ctx, db: tx }, scope, `/open/${link}${query}`);
  return { session, token, url };
}

async function checkTask(
  tx: Tx,
  scope: Scope,
  {
    userId,
    flow,
    subscriptionId,
    offerId,
    returnUrl,
    afterFlow,
  }: Pick<MerchantSession, 'flow' | 'subscriptionId' | 'offerId' | 'returnUrl' | 'afterFlow'> & {
    userId: string;
  },
): Promise<void> {
  if (isOfSubscription(flow) && subscriptionId === null)
    throw invalidField('subscriptionId', 'is needed for this flow');
  const subscription = subscriptionId === null ? null : await getSubscription(tx, scope, subscriptionId);
  if (subscription && subscription.userId !== userId) throw notFound('subscription', subscription.number);
  if (offerId !== null && !(await hasOffer(tx, scope, offerId))) throw notFound('offer', offerId);
  if (returnUrl !== null && !isReturnUrl(returnUrl, scope))
    throw invalidField('returnUrl', 'must be an https address, in test mode also one of this machine');
  if (afterFlow === 'return' && returnUrl === null) throw invalidField('returnUrl', 'is needed to return');
}

/** The link was pressed: it opens once. Throws code_invalid for one that is used, late or revoked. */
export async function openMerchantLink(
  ctx: Pick<Context, 'db' | 'realNowMs'>,
  { link, visitor }: { link: string; visitor: Visitor },
): Promise<OpenedPortal & { scope: Scope }> {
  const nowMs = ctx.realNowMs();
  const workspaceId = fromShortId(link.split('.')[0] ?? '');
  const token = generateToken();
  const opening = {
    linkHash: hashToken(link),
    tokenHash: hashToken(token),
    nowMs,
    userAgent: visitor.userAgent,
  };
  return inTransaction(ctx.db, async (tx) => {
    const session =
      workspaceId === null
        ? undefined
        : await openByLink(tx, { workspaceId, ...opening, endsAt: nowMs + MERCHANT_LIFE_MS });
    if (!session) throw new Refusal('code_invalid');
    const scope = { workspaceId: session.workspaceId, testMode: session.testMode };
    const user = await getUser(tx, scope, session.userId);
    if (user.archivedAt !== null || user.erasedAt !== null) throw new Refusal('code_invalid');
    return { session, user, token, scope };
  });
}

/** Bearer, link and whatever browser has opened it: all of it ends. Throws not_found. */
export async function revokeMerchantSession(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<PortalSessionRow> {
  const session = await revokePortalSession(tx, scope, { id, nowMs: ctx.realNowMs() });
  if (session?.method !== 'merchant') throw new Refusal('not_found');
  return session;
}
