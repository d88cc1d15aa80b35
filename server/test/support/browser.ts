/** A browser as the dashboard's server sees it: its cookies, and where its pages say that they come from. */
import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../src/db/transaction.ts';
import { toEmailNormal } from '../../src/domain/email.ts';
import type { Permissions, Role } from '../../src/domain/roles.ts';
import { hashPassword } from '../../src/flows/accounts/passwords.ts';
import { type AccountChanges, insertAccount } from '../../src/resources/accounts/accounts.queries.ts';
import { insertMembership } from '../../src/resources/accounts/memberships.queries.ts';
import type { Answer, RequestOptions, TestApp, TestStore } from './harness.ts';

export const PASSWORD = 'seven quiet lanterns drift upstream';

export interface NewTestAccount
  extends Partial<Pick<AccountChanges, 'name' | 'installationAdmin' | 'disabledAt'>> {
  email: string;
  /** Null = without; PASSWORD when missing. */
  password?: string | null;
  /** The first workspace as this when it is missing; null = of no workspace. */
  member?: { workspaceId: string; role: Role; permissions?: Permissions } | null;
}

let hashOfPassword: Promise<string> | null = null;

/** An account as it stands after its invitation; answers its id. */
export async function makeAccount({ service, test }: TestApp, input: NewTestAccount): Promise<string> {
  const { email, password = PASSWORD, member, ...rest } = input;
  hashOfPassword ??= hashPassword(PASSWORD);
  const passwordHash =
    password === null ? null : password === PASSWORD ? await hashOfPassword : await hashPassword(password);
  const id = randomUUID();
  const createdAt = service.realNowMs();
  await inTransaction(service.db, async (tx) => {
    const names = { email, emailNormal: toEmailNormal(email) };
    await insertAccount(tx, { id, ...names, passwordHash, emailProvedAt: createdAt, createdAt, ...rest });
    if (member === null) return;
    const as = member ?? { workspaceId: test.scope.workspaceId, role: 'admin' as const };
    await insertMembership(tx, { id: randomUUID(), accountId: id, createdAt, ...as });
  });
  return id;
}

export interface BrowserOptions extends Omit<RequestOptions, 'keys'> {
  /** What it says of the page that asks; `origin` of our own when missing. */
  from?: Record<string, string>;
  remoteAddress?: string;
}

export interface Browser {
  cookies: Map<string, string>;
  /** The `set-cookie` headers of the last answer. */
  lastSet: string[];
  request(method: string, path: string, options?: BrowserOptions): Promise<Answer>;
  get(path: string, options?: BrowserOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: BrowserOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: BrowserOptions): Promise<Answer>;
  delete(path: string, options?: BrowserOptions): Promise<Answer>;
  signIn(email: string, password?: string): Promise<Answer>;
}

/** One without a cookie. `store` is the one that it asks in, where what it asks belongs to one. */
export function openBrowser(t: TestApp, store: TestStore = t.test): Browser {
  const cookies = new Map<string, string>();
  const { publicUrl } = t.service.config;
  const { workspaceId, testMode } = store.scope;
  const browser: Browser = {
    cookies,
    lastSet: [],
    async request(method, path, { from = { origin: publicUrl }, remoteAddress, headers, ...options } = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = {
        ...(cookie === '' ? {} : { cookie }),
        'x-svc-workspace': workspaceId,
        'x-svc-mode': testMode ? 'test' : 'live',
        ...from,
        ...(remoteAddress === undefined ? {} : { 'x-forwarded-for': remoteAddress }),
        ...headers,
      };
      const answer = await store.request(method, path, { ...options, keys: 'none', headers: sent });
      browser.lastSet = [answer.headers['set-cookie'] ?? []].flat().map(String);
      for (const set of browser.lastSet) keep(cookies, set);
      return answer;
    },
    get: (path, options) => browser.request('GET', path, options),
    post: (path, body, options) => browser.request('POST', path, { body: body ?? {}, ...options }),
    patch: (path, body, options) => browser.request('PATCH', path, { body: body ?? {}, ...options }),
    delete: (path, options) => browser.request('DELETE', path, options),
    signIn: (email, password = PASSWORD) => browser.post('/v0/session', { email, password }),
  };
  return browser;
}

function keep(cookies: Map<string, string>, set: string): void {
  const [pair = '', ...attributes] = set.split('; ');
  const [name = '', value = ''] = pair.split('=');
  if (attributes.includes('Max-Age=0')) cookies.delete(name);
  else cookies.set(name, value);
}

/** A browser in which somebody is signed in with a password. */
export async function openSignedIn(t: TestApp, email: string, store: TestStore = t.test): Promise<Browser> {
  const browser = openBrowser(t, store);
  const { status, text } = await browser.signIn(email);
  if (status !== 200) throw new Error(`${email} could not sign in: ${text}`);
  return browser;
}
