/** What a subscription owes, and the page behind its payment's link as browsers of all kinds ask it. */

import { card } from './buying.ts';
import { PAYS_ONCE, VISA } from './cards.ts';
import { advance, DAY_MS } from './clock.ts';
import type { Answer, TestApp } from './harness.ts';
import { makePlanOffer } from './make-catalogue.ts';
import { type Subscribed, subscribe } from './subscribing.ts';

/** One browser at a page of a payment: it keeps what it is told to keep, for the paths that this is for. */
export interface PayingBrowser {
  look(): Promise<Answer>;
  /** By a new card, or the stored one. */
  pay(number?: string): Promise<Answer>;
  prove(body?: Record<string, unknown>): Promise<Answer>;
  open(link: string): Promise<Answer>;
  /** What it was told to keep, as it was told. */
  cookies: string[];
}

export interface Owing {
  subscribed: Subscribed;
  email: string;
  /** `/pay/…`. */
  path: string;
  browse(): PayingBrowser;
}

let count = 0;

/** A weekly subscription that owes two periods. Its stored card would pay now. */
export async function startOwing(app: TestApp, body: Record<string, unknown> = {}): Promise<Owing> {
  const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
  count += 1;
  const email = `owing-${count}@example.com`;
  const subscribed = await subscribe(app, offerId, { card: PAYS_ONCE, userEmail: email, ...body });
  await advance(app, app.test.scope, 15 * DAY_MS);
  await app.service.db
    .updateTable('paymentMethods')
    .set({ reference: `card_${VISA}` })
    .where('userId', '=', subscribed.userId)
    .execute();
  const { body: shown } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
  const path = new URL(shown.data.payment.payUrl).pathname;
  return { subscribed, email, path, browse: () => openBrowser(app, path) };
}

function openBrowser({ test }: TestApp, path: string): PayingBrowser {
  const base = path.replace('/pay/', '/payment-pages/');
  const cookies: string[] = [];
  const send = async (method: string, action: string, body?: Record<string, unknown>) => {
    const kept = cookies.find((cookie) => cookie.includes(`Path=${base};`))?.split(';')[0];
    const answer = await test.request(method, base + action, {
      keys: 'none',
      ...(body ? { body } : {}),
      ...(kept ? { headers: { cookie: kept } } : {}),
    });
    cookies.unshift(...[answer.headers['set-cookie'] ?? []].flat().map(String));
    return answer;
  };
  return {
    cookies,
    look: () => send('GET', ''),
    pay: (number) => send('POST', '/pay', number ? { card: card(number) } : {}),
    prove: (body = {}) => send('POST', '/prove', body),
    open: (link) => send('POST', '/prove/open', { link }),
  };
}

/** Links to prove by, in the mails that were sent to an address, oldest first; what is due is done first. */
export async function listProofLinks(app: TestApp, email: string, kind = 'payer_proof'): Promise<string[]> {
  await app.wired.worker.runDue();
  const { body } = await app.test.get('/v0/mails/list', { query: { recipient: email, kinds: kind } });
  const texts = (body.data.mails as Array<{ text: string }>).map(({ text }) => text).reverse();
  return texts.map((text) => /\/prove\/(\S+)/.exec(text)?.[1] ?? 'no link');
}
