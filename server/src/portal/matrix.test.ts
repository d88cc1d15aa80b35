/** Every operation of the portal with what is another buyer's, and without a session: asked of each by its declaration. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { openBrowser, type PortalBrowser, signIn } from '../../test/support/portal.ts';
import type { Route } from '../http/route.ts';
import { portalRoutes } from './routes.ts';

let app: TestApp;
let browser: PortalBrowser;
/** Another buyer's, by the name of the parameter. */
let others: Record<string, string>;
/** Of the same form, and nobody's. */
const NOBODYS: Record<string, string> = {
  orderNumber: 'ZZZZZZZZZZZZ',
  subscriptionId: 'ZZZZZZZZZZZZ',
  itemId: randomUUID(),
  paymentMethodId: randomUUID(),
};

beforeAll(async () => {
  app = await createTestApp();
  // What the shop does not offer is refused before anything is looked for.
  await app.test.patch('/v0/settings/update', { portal: { pause: true } });
  await app.test.post('/v0/users/create', { email: 'mallory@example.com' });
  const offersIds = [await makeOffer(app.test)];
  const bought = (await buy(app.test, { offersIds, userEmail: 'ada@example.com' })).body.data;
  const subscribed = await buy(app.test, {
    offersIds: [await makePlanOffer(app.test)],
    userEmail: 'ada@example.com',
  });
  const { number } = bought.order;
  const { items } = (await app.test.get(`/v0/orders/${number}`)).body.data;
  const ada = await signIn(app, 'ada@example.com');
  const added = await ada.post('/payment-methods/create', { card: '5555555555554444' });
  others = {
    orderNumber: number,
    subscriptionId: subscribed.body.data.order.number,
    itemId: items[0].id,
    paymentMethodId: added.body.data.paymentMethod.id,
  };
  browser = await signIn(app, 'mallory@example.com');
});
afterAll(() => app.close());

const ofBuyers = portalRoutes.filter(({ audience }) => audience === 'buyer');
const titleOf = ({ method, path }: Route) => `${method} ${path}`;
const fill = (path: string, ids: Record<string, string>) =>
  path.replace('/v0/portal', '').replace(/:(\w+)/g, (_all, name: string) => ids[name] ?? 'missing');
const withoutIds = (text: string, ids: Record<string, string>) => {
  const { error } = JSON.parse(text);
  const said = Object.values(ids).reduce((message, id) => message.replace(id, '…'), error.message);
  return { code: error.code, said, details: error.details };
};

describe('an operation of the portal', () => {
  test.each(
    ofBuyers.filter(({ path }) => path.includes(':')).map((route) => [titleOf(route), route] as const),
  )('S10 %s is 404 for another buyer’s, with the same words as for nobody’s', async (_title, route) => {
    const body = route.method === 'GET' ? undefined : (route.example ?? {});
    const answers = [];
    for (const ids of [others, NOBODYS]) {
      const { status, text } = await browser.send(route.method, fill(route.path, ids), body);
      answers.push({ status, ...withoutIds(text, ids) });
    }
    expect(answers[0]).toMatchObject({ status: 404, code: 'not_found' });
    expect(answers[0]).toEqual(answers[1]);
  });

  it.each(ofBuyers.map((route) => [titleOf(route), route] as const))(
    'S10 %s is 401 without a session, and by a session of another store',
    async (_title, route) => {
      const stranger = await openBrowser(app);
      const elsewhere = await openBrowser(app, app.other);
      for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
      for (const one of [stranger, elsewhere]) {
        const body = route.method === 'GET' ? undefined : (route.example ?? {});
        const { status, body: answer } = await one.send(route.method, fill(route.path, others), body);
        expect({ status, code: answer.error.code }).toEqual({ status: 401, code: 'session_required' });
      }
    },
  );
});

test('S10 a page that shows one buyer is answered for nobody else who has signed in beside it', async () => {
  const { id } = (await browser.get('/session')).body.data.session.user;
  const as = (buyer: string) => ({ headers: { 'x-svc-buyer': buyer } });
  expect((await browser.get('/orders/list', as(id))).status).toBe(200);
  expect((await browser.get('/orders/list', as(randomUUID()))).body.error.code).toBe('session_required');
  const written = await browser.patch('/details', { language: 'de' }, as(randomUUID()));
  expect(written.body.error.code).toBe('session_required');
});

test('S11 a purchase with a stranger’s address opens nothing of theirs', async () => {
  const offersIds = [await makeOffer(app.test)];
  await buy(app.test, { offersIds, userEmail: 'ada@example.com' });
  const stranger = await openBrowser(app);
  expect((await stranger.get('/orders/list')).status).toBe(401);
});
