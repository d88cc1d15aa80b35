/**
 * What the pages for withdrawing and cancelling send. No key and no session: the statement is heard, whoever sends it,
 * and in each state of the shop.
 */
import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { toPortalPath } from '../domain/consumer/legal-paths.ts';
import { isEmail } from '../domain/email.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import { findWanted } from '../domain/wanted-language.ts';
import { receiveNotice } from '../flows/consumer/receive-notice.ts';
import { receiveWithdrawal } from '../flows/consumer/receive-withdrawal.ts';
import { atDoor, type DoorRequest } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { findLegalPaths } from '../resources/consumer/legal-pages.queries.ts';
import { StatedNoticeData, StateNotice, toOpenNotice } from '../resources/consumer/notices.schema.ts';
import {
  StatedWithdrawalData,
  StateWithdrawal,
  toOpenWithdrawal,
} from '../resources/consumer/withdrawals.schema.ts';
import { findShopLanguage } from '../resources/workspaces/shop-language.ts';

/** Anybody may send a form. */
const FORM_BYTES_MAX = 64 * 1024;

const HEARD =
  'Anybody may state it, for 10 times an hour from one address. It is answered alike whatever the numbers name: ' +
  'who has bought what is learnt by mail alone.';

const withdraw = atDoor({
  method: 'POST',
  path: '/v0/portal/withdrawals',
  operationId: 'stateWithdrawal',
  tag: 'portal',
  summary: 'Withdraw from a contract',
  description: `With the session of a buyer it may name \`items\` of the order; without one, \`part\` in words. ${HEARD}`,
  body: StateWithdrawal,
  data: StatedWithdrawalData,
  errors: ['not_found', 'rate_limited', 'clock_advancing', 'store_held'],
  bodyLimitBytes: FORM_BYTES_MAX,
  isHeardFromAnywhere: true,
  example: {
    ...{ store: 'nebula-games', name: 'Ada Lovelace', email: 'ada@example.com' },
    orderNumber: '7K3M9XQ2V8TD',
  },
  handler: async (asked) => {
    const { service, body } = asked;
    const { ctx, scope, store, legal } = await open(asked);
    if (legal.withdraw === null) throw new Refusal('not_found');
    requireWords({ name: body.name, orderNumber: body.orderNumber });
    checkEmail(body.email);
    const buyer = await asked.findSignedIn(scope);
    const row = await receiveWithdrawal(ctx, scope, {
      ...{ orderNumber: body.orderNumber, name: body.name, email: body.email },
      part: body.part?.trim() || null,
      items: body.items ?? null,
      ...(await toAsking(asked, { ctx, scope })),
      userId: buyer?.user.id ?? null,
    });
    service.nudgeWorker(scope);
    const path = toStatementPath({ portalSlug: store.slug, testMode: scope.testMode }, row.token);
    return { withdrawal: toOpenWithdrawal(row), confirmationUrl: service.config.publicUrl + path };
  },
});

const cancel = atDoor({
  method: 'POST',
  path: '/v0/portal/cancellation-notices',
  operationId: 'stateCancellationNotice',
  tag: 'portal',
  summary: 'Cancel a contract without signing in',
  description: HEARD,
  body: StateNotice,
  data: StatedNoticeData,
  errors: ['not_found', 'rate_limited', 'clock_advancing', 'store_held'],
  bodyLimitBytes: FORM_BYTES_MAX,
  isHeardFromAnywhere: true,
  example: {
    ...{ store: 'nebula-games', type: 'ordinary', name: 'Ada Lovelace', email: 'ada@example.com' },
    contractNumber: '7K3M9XQ2V8TD',
  },
  handler: async (asked) => {
    const { service, body } = asked;
    const { ctx, scope, store, legal } = await open(asked);
    if (legal.cancel === null) throw new Refusal('not_found');
    requireWords({ name: body.name, contractNumber: body.contractNumber });
    checkEmail(body.email);
    const statedReason = body.reason?.trim() || null;
    if (body.type === 'cause' && statedReason === null) throw invalidField('reason', 'is required');
    const buyer = await asked.findSignedIn(scope);
    const row = await receiveNotice(ctx, scope, {
      ...{ type: body.type, statedReason: body.type === 'cause' ? statedReason : null },
      ...{ name: body.name, email: body.email, contractNumber: body.contractNumber },
      endDate: toMs(body.endDate ?? null),
      ...(await toAsking(asked, { ctx, scope })),
      userId: buyer?.user.id ?? null,
    });
    service.nudgeWorker(scope);
    const path = toStatementPath({ portalSlug: store.slug, testMode: scope.testMode }, row.token);
    return { notice: toOpenNotice(row), confirmationUrl: service.config.publicUrl + path };
  },
});

interface Stated {
  store: string;
  testMode?: boolean | undefined;
  language?: string | null | undefined;
}

async function open<B extends Stated>({ body, open }: DoorRequest<B>) {
  const opened = await open({ store: body.store, testMode: body.testMode ?? false }, { isWrite: true });
  const { ctx, scope } = opened;
  const legal = await findLegalPaths(ctx.db, scope, { nowMs: ctx.nowMs, orderId: null });
  return { ...opened, legal };
}

function checkEmail(email: string): void {
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address');
}

/** Times of clients that count in seconds. */
function toMs(value: number | null): number | null {
  return value !== null && value > 0 && value < 100_000_000_000 ? value * 1000 : value;
}

async function toAsking<B extends Stated>(
  { body, client }: DoorRequest<B>,
  { ctx, scope }: { ctx: Context; scope: Scope },
) {
  const { addressKey, acceptLanguage } = client;
  const wanted = findWanted({ asked: body.language ?? undefined, acceptLanguage });
  return { language: wanted ?? (await findShopLanguage(ctx.db, scope)), addressKey };
}

const toStatementPath = (portal: { portalSlug: string; testMode: boolean }, token: string) =>
  `${toPortalPath(portal)}/statements/${token}.pdf`;

export const statementRoutes: Route[] = [withdraw, cancel];
