/** A buyer's browser at the portal of a store, and the mails that it is sent. */
import { toTexts } from '../../src/domain/mails/kept-letter.ts';
import { listMails } from '../../src/resources/mails/mails.queries.ts';
import type { TestApp, TestStore } from './harness.ts';

export interface PortalAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape, as in the harness
  body: any;
}

export interface PortalOptions {
  /** Null = none, as of a program. */
  origin?: string | null;
  headers?: Record<string, string>;
  from?: string;
}

export interface PortalBrowser {
  /** `{slug}/test`, as `x-svc-store` says it. */
  store: string;
  cookies: Map<string, string>;
  send(method: string, path: string, body?: unknown, options?: PortalOptions): Promise<PortalAnswer>;
  get(path: string, options?: PortalOptions): Promise<PortalAnswer>;
  post(path: string, body?: unknown, options?: PortalOptions): Promise<PortalAnswer>;
  patch(path: string, body?: unknown, options?: PortalOptions): Promise<PortalAnswer>;
  delete(path: string, options?: PortalOptions): Promise<PortalAnswer>;
}

const ORIGIN = 'http://localhost:3000';

/** The address of a store's portal, as operations take it. */
export async function portalOf({ service }: TestApp, { scope }: TestStore) {
  const row = await service.db
    .selectFrom('workspaces')
    .select('portalSlug')
    .where('id', '=', scope.workspaceId)
    .executeTakeFirstOrThrow();
  return { store: row.portalSlug, testMode: scope.testMode };
}

/** Keeps cookies as a browser does; each path stands under `/v0/portal`. */
export async function openBrowser(app: TestApp, store: TestStore = app.test): Promise<PortalBrowser> {
  const { store: slug, testMode } = await portalOf(app, store);
  const name = testMode ? `${slug}/test` : slug;
  const cookies = new Map<string, string>();
  const send: PortalBrowser['send'] = async (method, path, body, options = {}) => {
    const { origin = ORIGIN, headers = {}, from } = options;
    const response = await app.app.inject({
      method: method as 'GET',
      url: `/v0/portal${path}`,
      headers: {
        'x-svc-store': name,
        ...(origin === null ? {} : { origin }),
        ...(cookies.size > 0
          ? { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') }
          : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(from === undefined ? {} : { remoteAddress: from }),
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    for (const { name: cookie, value } of response.cookies) {
      if (value === '') cookies.delete(cookie);
      else cookies.set(cookie, value);
    }
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const { statusCode: status, payload: text } = response;
    return { status, headers: response.headers, text, body: isJson ? response.json() : null };
  };
  return {
    store: name,
    cookies,
    send,
    get: (path, options) => send('GET', path, undefined, options),
    post: (path, body = {}, options) => send('POST', path, body, options),
    patch: (path, body = {}, options) => send('PATCH', path, body, options),
    delete: (path, options) => send('DELETE', path, undefined, options),
  };
}

export interface PortalMail {
  kind: string;
  to: string;
  subject: string;
  text: string;
}

/** Mails to an address, newest first, once all that is due is done. */
export async function readMails(
  app: TestApp,
  to: string,
  store: TestStore = app.test,
): Promise<PortalMail[]> {
  await runDue(app);
  // From the store itself: the API of a shop that is closed answers nobody.
  const page = { take: 100, skip: 0, after: null, before: null };
  const rows = await listMails(app.service.db, store.scope, { filter: { recipient: to }, page });
  return rows.map(({ kind, recipient, subject, ...texts }) => ({
    ...{ kind, to: recipient, subject: subject ?? '', text: toTexts(texts).plain ?? '' },
  }));
}

/** Mails make due work of their own. */
export async function runDue(app: TestApp): Promise<void> {
  for (let round = 0; round < 3; round += 1) await app.wired.worker.runDue();
}

/** Code and link of the newest mail that lets somebody in. */
export async function readCode(app: TestApp, to: string, store: TestStore = app.test) {
  const mail = (await readMails(app, to, store)).find(({ kind }) => kind === 'magic_link');
  const code = /\b(\d{8})\b/.exec(mail?.text ?? '')?.[1];
  const link = /\/sign-in\/([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!code || !link) throw new Error(`nobody let ${to} in`);
  return { code, link };
}

/** A browser that has signed in by a code. */
export async function signIn(
  app: TestApp,
  email: string,
  store: TestStore = app.test,
): Promise<PortalBrowser> {
  const browser = await openBrowser(app, store);
  const portal = await portalOf(app, store);
  await browser.post('/sign-in/request', { ...portal, email });
  const { code } = await readCode(app, email, store);
  const answer = await browser.post('/sign-in/verify', { code });
  if (answer.status !== 200) throw new Error(`${email} did not get in: ${answer.text}`);
  return browser;
}
