/** The door of the page of a subscription's card: whoever holds its link may give another card, and nothing else. */
import type { Context, Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { isCardPageOver, readCardLink } from '../flows/dunning/card-link.ts';
import { openContext } from '../http/context.ts';
import { refuseClosedTill } from './open-shop.ts';

/** Longer than any link of it. */
const TOKEN_LENGTH_MAX = 200;

export interface OpenedCard {
  ctx: Context;
  scope: Scope;
  subscriptionId: string;
}

/** Throws not_found, and workspace_suspended or workspace_archived where none can be given for that. */
export async function openCardPage(service: Service, token: string, isWrite: boolean): Promise<OpenedCard> {
  const page = token.length > TOKEN_LENGTH_MAX ? null : await readCardLink(service, token);
  if (!page) throw new Refusal('not_found');
  const { scope, subscriptionId } = page;
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  if (await isCardPageOver(ctx, page)) throw new Refusal('not_found');
  await refuseClosedTill(service.db, scope, subscriptionId);
  return { ctx, scope, subscriptionId };
}
