/**
 * A checkout that the merchant prepared for one of their users is that user's in the first browser that opens it,
 * within minutes of its making. A link may be logged or passed on: any other browser may pay, with a card of its own.
 */
import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { claimSession } from '../../resources/checkouts/merchant-sessions.queries.ts';
import type { Session } from './open-checkout.ts';

/** Of real time, since the session was written. */
const OPENS_WITHIN_MS = 10 * 60_000;
const BROWSER_BYTES = 32;

type Asking = Pick<Context, 'realNowMs'>;

/** Whether a browser that opens it now is taken for its user's. */
export function isUnopened({ realNowMs }: Asking, session: Session): boolean {
  const { byMerchant, userId, openedByHash, writtenRealMs } = session;
  if (!byMerchant || userId === null || openedByHash !== null || writtenRealMs === null) return false;
  return realNowMs() - writtenRealMs <= OPENS_WITHIN_MS;
}

/** What the browser is to keep as its proof; null where another came first, or it came too late. */
export async function openPrepared(ctx: Context, session: Session): Promise<string | null> {
  if (!isUnopened(ctx, session)) return null;
  const { workspaceId, testMode, id } = session;
  const browser = Buffer.from(ctx.ids.randomBytes(BROWSER_BYTES)).toString('base64url');
  const isFirst = await claimSession(ctx.db, { workspaceId, testMode }, { id, hash: toHash(browser) });
  return isFirst ? browser : null;
}

/** Whose browser this is, by what it has kept; null = nobody that is known. */
export function findOpener({ userId, openedByHash }: Session, browser: string | null): string | null {
  return browser !== null && openedByHash !== null && toHash(browser) === openedByHash ? userId : null;
}

const toHash = (text: string): string => createHash('sha256').update(text).digest('base64url');
