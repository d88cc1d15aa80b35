/** The way of a browser to the identity provider and back. */
import { expect } from 'vitest';
import type { Browser } from './browser.ts';
import type { TestApp } from './harness.ts';
import type { IdentityProvider } from './identity-provider.ts';

export interface WayByOidc {
  purpose?: 'sign_in' | 'prove';
  /** What somebody does to the address on the way back. */
  change?: (url: string) => string;
}

/** A browser goes to the provider, agrees, and comes back: answers what was asked, how it came back, and where it is sent then. */
export async function goByOidc(
  { app, provider }: { app: TestApp['app']; provider: IdentityProvider },
  browser: Browser,
  { purpose = 'sign_in', change = (url) => url }: WayByOidc = {},
) {
  const begun = await visitByOidc(app, browser, `/v0/session/oidc/start?purpose=${purpose}`);
  expect(begun.statusCode).toBe(302);
  const asked = new URL(String(begun.headers.location));
  const back = new URL(change(provider.agree(asked.href)));
  const returned = `${back.pathname}${back.search}`;
  const ended = await visitByOidc(app, browser, returned);
  return { asked, returned, target: String(ended.headers.location) };
}

/** One address of the way, with the browser's cookies. */
export async function visitByOidc(app: TestApp['app'], browser: Browser, url: string) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await app.inject({ method: 'GET', url, headers: { cookie } });
  for (const { name, value } of answer.cookies) {
    if (value === '') browser.cookies.delete(name);
    else browser.cookies.set(name, value);
  }
  return answer;
}
