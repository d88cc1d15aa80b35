/**
 * The page on which a subscription's buyer gives another card: one per subscription, by a signature, so that nothing is
 * kept of a link. It opens as long as the subscription lives, and a month more.
 */
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { fromShortId, toShortId } from '../../domain/link-token.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import { findSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';

/** Of the workspace's clock, behind the subscription's end. */
const AFTER_END_MS = 30 * 24 * 3_600_000;
const PURPOSE = 'card';
/** What ends it is the subscription. */
const NEVER_MS = Number.MAX_SAFE_INTEGER;
const MODES = { t: true, l: false } as const;

type Signing = Pick<Service, 'db' | 'config'>;

export async function toCardPath(
  service: Signing,
  { workspaceId, testMode }: Scope,
  subscriptionId: string,
): Promise<string> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const opens = [toShortId(workspaceId), testMode ? 't' : 'l', toShortId(subscriptionId)];
  return `/card/${signLink(secret, { purpose: PURPOSE, opens, expiresAtMs: NEVER_MS })}`;
}

export interface CardPage {
  scope: Scope;
  subscriptionId: string;
}

/** Null for what is no such link. Whether the page is still there is `isCardPageOver`. */
export async function readCardLink(
  service: Pick<Service, 'db' | 'realNowMs'>,
  token: string,
): Promise<CardPage | null> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const opened = openLink(secret, token, { purpose: PURPOSE, nowMs: service.realNowMs() });
  if (opened.kind !== 'open') return null;
  const [workspace = '', mode = '', subscription = ''] = opened.opens;
  const [workspaceId, subscriptionId] = [fromShortId(workspace), fromShortId(subscription)];
  if (workspaceId === null || subscriptionId === null || !Object.hasOwn(MODES, mode)) return null;
  return { scope: { workspaceId, testMode: MODES[mode as keyof typeof MODES] }, subscriptionId };
}

/** Its subscription is gone, or has ended long ago. */
export async function isCardPageOver(
  { db, nowMs }: Pick<Service, 'db'> & { nowMs: number },
  { scope, subscriptionId }: CardPage,
): Promise<boolean> {
  const subscription = await findSubscription(db, scope, subscriptionId);
  if (!subscription) return true;
  return subscription.endedAt !== null && subscription.endedAt + AFTER_END_MS <= nowMs;
}
