/** The pages of a store's portal: one shell, whose script shows the screen that the address names. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { maskAddress } from '../domain/email.ts';
import { Refusal } from '../domain/errors.ts';
import { isMerchantLink, toPortalPath } from '../domain/portal/portal-path.ts';
import { STATES_BY_COUNTRY } from '../domain/tax/regions.ts';
import { findPageSources } from '../flows/payments/choose-connection.ts';
import { findLinkReader } from '../flows/portal/check-code.ts';
import { openContext } from '../http/context.ts';
import { createPortalCookies } from '../http/portal-cookies.ts';
import { type FoundBuyer, findBuyer, loadPortal } from '../http/portal-session.ts';
import { findLegalPaths } from '../resources/consumer/legal-pages.queries.ts';
import { findOwnExport } from '../resources/portal/own-exports.queries.ts';
import { toPortalStore } from '../resources/portal/portal.schema.ts';
import {
  findOnlyPortal,
  findPortalWorkspace,
  hasLiveUser,
} from '../resources/portal/portal-stores.queries.ts';
import { findSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { findNewAddress, findPlainTest } from './former-address.ts';
import { type PagesOptions, sendPage } from './send-page.ts';

const decompress = promisify(gunzip);

type Asked = FastifyRequest<{ Params: { slug: string; '*'?: string } }>;

export function registerPortalPages(app: FastifyInstance, options: PagesOptions): void {
  const { service } = options;
  const hidden = { schema: { hide: true } };
  app.get('/portal', hidden, async (_request, reply) => {
    const only = await findOnlyPortal(service.db);
    if (!only) throw new Refusal('not_found');
    const testMode = !(await hasLiveUser(service.db, only.workspaceId));
    return reply.redirect(toPortalPath({ slug: only.slug, testMode }), 302);
  });
  for (const testMode of [false, true]) registerExportPage(app, options, testMode);
  for (const url of ['/portal/:slug', '/portal/:slug/*']) {
    app.get(url, hidden, async (request: Asked, reply) => {
      const { slug } = request.params;
      const found = await findPortalWorkspace(service.db, slug);
      if (!found) return reply.redirect(await findNewAddress(service, request), 302);
      const plain = findPlainTest(request.url);
      if (plain !== null) return reply.redirect(plain, 302);
      const rest = request.params['*'] ?? '';
      const testMode = rest === 'test' || rest.startsWith('test/');
      const scope = { workspaceId: found.workspaceId, testMode };
      const { settings, store } = await loadPortal(service.db, scope);
      const shown = toPortalStore({ store, settings, testMode });
      const { nowMs } = await openContext(service, scope, { needsClock: true, isWrite: false });
      const buyer = await findIn(service, request, store.slug + (testMode ? '/test' : ''));
      reply.header('x-robots-tag', 'noindex');
      return sendPage(options, request, reply, {
        entry: 'portal',
        title: shown.name,
        look: settings.branding,
        knownLanguage: buyer?.session.language ?? buyer?.user.language ?? null,
        shopLanguage: settings.checkout.defaultLanguage,
        withoutScript: isMerchantLink(rest) ? 'sign-in' : undefined,
        // Whoever signs in adds a method without loading the page again.
        sources: await findPageSources(service, scope, { settings }),
        state: {
          base: toPortalPath({ slug: store.slug, testMode }),
          seller: { name: shown.name, supportEmail: shown.supportEmail, branding: settings.branding },
          store: shown,
          // Without a mail server nobody gets a code; in test mode it is read over the API.
          hasMail: testMode || service.mail !== null,
          hasPassword: settings.portal.passwordSignIn,
          statesByCountry: STATES_BY_COUNTRY,
          isIn: buyer !== null,
          email: buyer?.user.email ?? null,
          userId: buyer?.user.id ?? null,
          legal: await findLegalPaths(service.db, scope, { nowMs, orderId: null }),
          task: buyer && (await toTask(service, buyer)),
          returnUrl: buyer?.session.returnUrl ?? settings.portal.returnUrl,
          linkEmail: await findLinkEmail(service, request, { scope, rest }),
        },
      });
    });
  }
}

/** What the merchant has opened the session for, and for nothing else. */
async function toTask({ db }: Service, { session, scope }: FoundBuyer) {
  const { flow, afterFlow, subscriptionId } = session;
  if (flow === null || afterFlow !== 'return') return null;
  const subscription =
    subscriptionId === null ? undefined : await findSubscription(db, scope, subscriptionId);
  return { flow, subscriptionId: subscription?.number ?? null };
}

/** The copy of what is kept of a buyer: for the browser of theirs alone, by no word of the merchant's. */
function registerExportPage(app: FastifyInstance, { service }: PagesOptions, testMode: boolean): void {
  const url = `/portal/:slug${testMode ? '/test' : ''}/export.json`;
  app.get(url, { schema: { hide: true } }, async (request: Asked, reply) => {
    const store = request.params.slug + (testMode ? '/test' : '');
    const cookies = createPortalCookies(service.config.publicUrl);
    const headers = { cookie: request.headers.cookie, 'x-svc-store': store };
    const { session, user, scope } = await findBuyer(service, cookies, headers);
    if (session.method === 'merchant') throw new Refusal('reauthentication_required');
    const row = await findOwnExport(service.db, scope, { userId: user.id });
    if (!row?.content || row.endsAt <= service.realNowMs()) throw new Refusal('not_found');
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
      .send(await decompress(row.content));
  });
}

/** Null = nobody. */
async function findIn(service: Service, { headers }: Asked, store: string): Promise<FoundBuyer | null> {
  const cookies = createPortalCookies(service.config.publicUrl);
  const asked = { cookie: headers.cookie, 'x-svc-store': store };
  return findBuyer(service, cookies, asked).catch((error: unknown) => {
    if (error instanceof Refusal) return null;
    throw error;
  });
}

/** Whom the link of a mail lets in here, masked; null where it opens nothing in this browser. Looking uses nothing up. */
async function findLinkEmail(
  service: Service,
  { headers }: Asked,
  { scope, rest }: { scope: { workspaceId: string; testMode: boolean }; rest: string },
): Promise<string | null> {
  const [, link] = /^(?:test\/)?sign-in\/([\w-]{20,100})$/.exec(rest) ?? [];
  if (link === undefined) return null;
  const asked = createPortalCookies(service.config.publicUrl).readAsked(headers.cookie);
  const isSame = asked?.scope.workspaceId === scope.workspaceId && asked.scope.testMode === scope.testMode;
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: false });
  const email = await findLinkReader(ctx, scope, { link, browserWord: isSame ? asked.word : null });
  return email === null ? null : maskAddress(email);
}
