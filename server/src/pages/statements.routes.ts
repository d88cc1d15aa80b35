/** What the pages for withdrawing and cancelling send. No key and no session: the statement is heard, whoever sends it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { toPortalPath } from '../domain/consumer/legal-paths.ts';
import { isEmail } from '../domain/email.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { toLanguage } from '../domain/languages.ts';
import { receiveNotice } from '../flows/consumer/receive-notice.ts';
import { receiveWithdrawal } from '../flows/consumer/receive-withdrawal.ts';
import { registerPortalPreflight } from '../http/portal-cors.ts';
import { StateNotice, toOpenNotice } from '../resources/consumer/notices.schema.ts';
import { StateWithdrawal, toOpenWithdrawal } from '../resources/consumer/withdrawals.schema.ts';
import { findWanted } from './language.ts';
import { type NamedStore, openPortalStore } from './open-portal-store.ts';
import { findSignedIn } from './signed-in-buyer.ts';

/** Anybody may send a form. */
const FORM_BYTES_MAX = 64 * 1024;

export function registerStatementRoutes(app: FastifyInstance, service: Service): void {
  const withdrawing = { schema: { hide: true, body: StateWithdrawal }, bodyLimit: FORM_BYTES_MAX };
  for (const path of ['/v0/portal/withdrawals', '/v0/portal/cancellation-notices'])
    registerPortalPreflight(app, path);
  app.post('/v0/portal/withdrawals', withdrawing, async (request) => {
    const body = request.body as Static<typeof StateWithdrawal>;
    const { ctx, scope, legal } = await open(service, body);
    if (legal.withdraw === null) throw new Refusal('not_found');
    checkEmail(body.email);
    const buyer = await findSignedIn(service, request, scope);
    const row = await receiveWithdrawal(ctx, scope, {
      ...{ orderNumber: body.orderNumber, name: body.name, email: body.email },
      part: body.part?.trim() || null,
      items: body.items ?? null,
      ...toAsking(request, body),
      userId: buyer?.user.id ?? null,
    });
    service.nudgeWorker();
    const confirmationUrl = toConfirmationUrl(service, scope, { store: body.store, token: row.token });
    return { status: 'success', data: { withdrawal: toOpenWithdrawal(row), confirmationUrl } };
  });

  const cancelling = { schema: { hide: true, body: StateNotice }, bodyLimit: FORM_BYTES_MAX };
  app.post('/v0/portal/cancellation-notices', cancelling, async (request) => {
    const body = request.body as Static<typeof StateNotice>;
    const { ctx, scope, legal } = await open(service, body);
    if (legal.cancel === null) throw new Refusal('not_found');
    checkEmail(body.email);
    const statedReason = body.reason?.trim() || null;
    if (body.type === 'cause' && statedReason === null) throw invalidField('reason', 'is required');
    const row = await receiveNotice(ctx, scope, {
      ...{ type: body.type, statedReason: body.type === 'cause' ? statedReason : null },
      ...{ name: body.name, email: body.email, contractNumber: body.contractNumber },
      endDate: toMs(body.endDate ?? null),
      ...toAsking(request, body),
    });
    service.nudgeWorker();
    const confirmationUrl = toConfirmationUrl(service, scope, { store: body.store, token: row.token });
    return { status: 'success', data: { notice: toOpenNotice(row), confirmationUrl } };
  });
}

function open(service: Service, { store, testMode = false }: { store: string; testMode?: boolean }) {
  const named: NamedStore = { store, testMode };
  return openPortalStore(service, named, { isWrite: true });
}

function checkEmail(email: string): void {
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address');
}

/** Times of clients that count in seconds. */
function toMs(value: number | null): number | null {
  return value !== null && value > 0 && value < 100_000_000_000 ? value * 1000 : value;
}

function toAsking(request: FastifyRequest, { language }: { language?: string | null | undefined }) {
  const wishes = { asked: language ?? undefined, acceptLanguage: request.headers['accept-language'] };
  return {
    language: toLanguage(findWanted(wishes)),
    userId: null,
    addressKey: request.arrival?.address ?? request.ip,
  };
}

function toConfirmationUrl(
  { config }: Service,
  { testMode }: Scope,
  { store, token }: { store: string; token: string },
): string {
  return `${config.publicUrl}${toPortalPath({ portalSlug: store, testMode })}/statements/${token}.pdf`;
}
