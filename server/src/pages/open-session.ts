/** The door of a checkout's link: whoever holds it may see and pay this session, and nothing else. */
import type { Context, Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import { Refusal } from '../domain/errors.ts';
import { type Opening, readOpeningToken, readWorkspace } from '../domain/link-token.ts';
import { draftSession, type Session } from '../flows/checkout/open-checkout.ts';
import { toScope } from '../flows/checkout/show-checkout.ts';
import { openContext } from '../http/context.ts';
import { findElementScope, findOfferScope, findSession } from '../resources/links/links.queries.ts';
import { findShopLanguage } from '../resources/workspaces/shop-language.ts';

/** A word that the store has never given out need not be looked for. */
const TOKEN = /^[\w.-]{22,100}$/;

export interface OpenedSession {
  ctx: Context;
  session: Session;
  /** Nothing is written of it yet. */
  isDraft: boolean;
}

/** Who asks: kept with a session that comes into being. */
export interface Visitor {
  ipAddress: string;
  /** Null = none of ours is asked for. */
  language: string | null;
}

interface OpenedLink {
  token: string;
  visitor: Visitor;
  isWrite: boolean;
}

/** The session of a link with its workspace's clock; a draft where none was written. Throws not_found. */
export async function openSession(service: Service, link: OpenedLink): Promise<OpenedSession> {
  const { token, visitor, isWrite } = link;
  const session = await findWritten(service, token);
  if (!session) return openDraft(service, link);
  const ctx = await openContext(service, toScope(session), { needsClock: true, isWrite });
  // Who reads on in another language gets the mails in it, too.
  const language = isWrite ? (visitor.language ?? session.language) : session.language;
  return { session: { ...session, language }, ctx, isDraft: false };
}

/** A link of before names no workspace: all are asked. */
async function findWritten({ db, owners }: Service, token: string): Promise<Session | undefined> {
  if (!TOKEN.test(token)) return undefined;
  if (readWorkspace(token) === null) owners.countFanOut();
  return findSession(db, token);
}

async function openDraft(service: Service, { token, visitor, isWrite }: OpenedLink): Promise<OpenedSession> {
  const opening = readOpeningToken(token);
  const scope = opening ? await findOpened(service.db, opening) : undefined;
  if (!opening || !scope) throw new Refusal('not_found');
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  const cart =
    opening.kind === 'element'
      ? { elementId: opening.id, offerIds: [] }
      : { elementId: null, offerIds: [opening.id] };
  const language = visitor.language ?? (await findShopLanguage(service.db, scope));
  return {
    ...{ ctx, isDraft: true },
    session: draftSession(ctx, scope, { token, ...cart, ...visitor, language }),
  };
}

/** The store of what a public link names, which must be of the workspace that its token names. */
function findOpened(db: Db, { kind, id, workspaceId }: Opening & { workspaceId: string }) {
  return kind === 'offer' ? findOfferScope(db, id, workspaceId) : findElementScope(db, id, workspaceId);
}
