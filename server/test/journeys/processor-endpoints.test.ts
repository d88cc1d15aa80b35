/** Where Stripe tells: endpoints are made, replaced, mended and taken away, against its stand-in that really tells. */
import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetRetired } from '../../src/flows/processors/forget-processor.ts';
import { registerDomains } from '../../src/flows/processors/register-domains.ts';
import { removeEnded, tendEndpoints } from '../../src/flows/processors/tend-endpoints.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openDoor } from '../support/processor-door.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };

let double: StripeDouble;
let app: TestApp;
let door: Server;
let offerId: string;
/** Of each answer that the door has given. */
const statuses: number[] = [];

beforeAll(async () => {
  double = await startStripeDouble();
  const { server, url } = await openDoor(() => app.app, statuses);
  door = server;
  app = await createTestApp({
    ...{ STRIPE_API_URL: double.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '60000', PUBLIC_URL: url },
  });
  offerId = await makeOffer(app.test, EUROS);
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await double?.close();
  await new Promise((done) => (door ? door.close(done) : done(null)));
  await app?.close();
});

async function connect(of: TestApp = app, to: StripeDouble = double, account?: StripeAccount) {
  const opened = account ?? (await to.openAccount());
  const { secretKey, publishableKey } = opened;
  const credentials = { secretKey, publishableKey };
  const { body, text } = await of.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(body?.data?.processor, text).toBeDefined();
  return { account: opened, processor: body.data.processor, id: body.data.processor.id as string };
}

interface Endpoint {
  id: string;
  url: string;
  status: string;
  enabled_events: string[];
}

async function askStripe<T>(
  { apiUrl }: StripeDouble,
  { secretKey }: StripeAccount,
  call: string,
  fields = '',
): Promise<T> {
  const [method = 'GET', path = '/'] = call.split(' ');
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(method === 'POST' ? { body: fields } : {}),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}
const endpointsOf = async (account: StripeAccount, of: StripeDouble = double) =>
  (await askStripe<{ data: Endpoint[] }>(of, account, 'GET /v1/webhook_endpoints')).data;
const shown = async (id: string) => (await app.test.get(`/v0/processors/${id}`)).body.data.processor;

const purchase = (processorId: string, paymentMethod = 'pm_card_visa', offersIds = [offerId]) =>
  buy(app.test, {
    ...{ offersIds, processorId, paymentMethod },
    userEmail: `b-${app.service.ids.next(Date.now())}@example.com`,
  });
const countTold = async (id: string, type: string) =>
  (
    await app.service.db
      .selectFrom('processorEvents')
      .select('id')
      .where('connectionId', '=', id)
      .where('type', '=', type)
      .where('wasRead', '=', false)
      .execute()
  ).length;

describe('P12 an event', () => {
  const SOLD = sizeOf(20, 1_000);
  const AT_ONCE = 20;

  it('that comes before the answer of its own call pays once', async () => {
    const { id } = await connect();
    await double.control('POST /events', { deliver: 'before_answer' });
    const bought: Awaited<ReturnType<typeof purchase>>[] = [];
    while (bought.length < SOLD)
      bought.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => purchase(id)))));
    await double.control('POST /events', { deliver: 'now' });
    await app.wired.worker.runDue();
    for (const { body, text } of bought) {
      expect(body.data?.payment.status, text).toBe('PAID');
      const ofOrder = app.service.db.selectFrom('events').where('orderId', '=', body.data.order.id);
      const told = await ofOrder.select('type').execute();
      expect(told.map(({ type }) => type)).toEqual(['payment_success']);
    }
    expect(await countTold(id, 'payment_intent.succeeded')).toBe(SOLD);
    tellFigures('P12', { purchases: SOLD, told: SOLD });
  });

  it('that overtakes the answer of its own call is no work of its own', async () => {
    const { id, account } = await connect();
    const path = '/v1/payment_intents/*/confirm';
    const match = { account: account.id, path };
    await double.control('POST /faults', { match, do: { stallMs: 50 }, times: 1 });
    const waiting = vi.spyOn(app.service.underWay, 'wait');
    const { body, text } = await purchase(id);
    expect(body.data?.payment.status, text).toBe('PAID');
    const told = () =>
      app.service.db.selectFrom('processorEvents').select('status').where('connectionId', '=', id).execute();
    await expect.poll(told).toEqual([{ status: 'ignored' }]);
    // The process that asks for the charge knows: the store is not asked.
    expect(await Promise.all(waiting.mock.results.map(({ value }) => value))).toEqual([true]);
    waiting.mockRestore();
    const work = app.service.db.selectFrom('dueWork').where('kind', '=', 'read_processor_event');
    expect(await work.select('refId').execute()).toEqual([]);
  });
});

describe('P04 an endpoint is replaced', () => {
  it('while events come in: none is refused, and the old one goes after a day', async () => {
    const { id, account } = await connect();
    expect(await shown(id)).toMatchObject({ webhook: { state: 'active', lastEventAt: null } });
    const sold = sizeOf(24, 500);
    let rotated = false;
    for (let n = 0; n < sold; n += 4) {
      const four = Array.from({ length: 4 }, () => purchase(id));
      if (n === 8) {
        const answer = await app.test.post(`/v0/processors/${id}/rotateWebhook`, {});
        expect(answer.body.data.processor, answer.text).toMatchObject({ id, webhook: { state: 'active' } });
        rotated = true;
      }
      for (const { body } of await Promise.all(four)) expect(body.data.payment.status).toBe('PAID');
    }
    expect(rotated).toBe(true);
    await expect
      .poll(() => countTold(id, 'payment_intent.succeeded'), { timeout: 60_000, interval: 100 })
      .toBe(sold);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect((await shown(id)).webhook.lastEventAt).toBeGreaterThan(0);

    const both = await endpointsOf(account);
    expect(both).toHaveLength(2);
    expect(await removeEnded(app.service)).toBe(0);
    await app.service.db
      .updateTable('processorEndpoints')
      .set((eb) => ({ endsAt: eb('endsAt', '-', DAY_MS) }))
      .where('connectionId', '=', id)
      .where('endsAt', 'is not', null)
      .execute();
    expect(await removeEnded(app.service)).toBe(1);
    expect(await endpointsOf(account)).toHaveLength(1);
    expect(await shown(id)).toMatchObject({ webhook: { state: 'active' } });
  });

  it('not where there is none to replace, nor where Stripe gives no answer or lets us in no more', async () => {
    const { processors } = (await app.test.get('/v0/processors/list')).body.data;
    const sandbox = processors.find(({ kind }: { kind: string }) => kind === 'sandbox');
    expect(sandbox.webhook).toEqual({ state: 'none', lastEventAt: null });
    const rotate = (id: string) => app.test.post(`/v0/processors/${id}/rotateWebhook`, {});
    await expectRefusal(rotate(sandbox.id), 409, 'processor_state');
    await expectRefusal(rotate('018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f'), 404, 'not_found');
    const { id, account } = await connect();
    const refusals = { 500: [503, 'processor_unreachable'], 401: [409, 'processor_state'] } as const;
    for (const [there, [here, code]] of Object.entries(refusals)) {
      const fault = { match: { account: account.id }, do: { status: Number(there) } };
      const { id: faultId } = await double.control('POST /faults', fault);
      await expectRefusal(rotate(id), here, code);
      await double.control(`DELETE /faults/${String(faultId)}`);
    }
    expect(await endpointsOf(account)).toHaveLength(1);
  });
});

describe('an endpoint is looked after', () => {
  it('one that was altered is mended, and one that was removed is made anew', async () => {
    const { id, account } = await connect();
    const [made] = await endpointsOf(account);
    expect(made?.enabled_events).toEqual(
      expect.arrayContaining(['payout.failed', 'mandate.updated', 'radar.early_fraud_warning.created']),
    );
    const path = `/v1/webhook_endpoints/${made?.id}`;
    await askStripe(double, account, `POST ${path}`, 'disabled=true&enabled_events[0]=refund.created');
    expect(await tendEndpoints(app.service, { everyMs: 0 })).toBe(0);
    const [mended, ...more] = await endpointsOf(account);
    expect(more).toEqual([]);
    expect(mended).toMatchObject({ id: made?.id, status: 'enabled', enabled_events: made?.enabled_events });

    await askStripe(double, account, `DELETE ${path}`);
    // Each has its day.
    expect(await tendEndpoints(app.service, { everyMs: DAY_MS })).toBe(0);
    expect(await tendEndpoints(app.service, { everyMs: 0 })).toBe(1);
    const [anew, ...others] = await endpointsOf(account);
    expect(others).toEqual([]);
    expect(anew?.id).not.toBe(made?.id);
    await purchase(id);
    await expect
      .poll(() => countTold(id, 'payment_intent.succeeded'), { timeout: 60_000, interval: 100 })
      .toBe(1);
  });
});

describe('P51 where Stripe can tell this address nothing', () => {
  it('none is made, what is paid is seen all the same, and a later address has one made', async () => {
    const strict = await startStripeDouble({ mayLoopback: false });
    const env = { STRIPE_API_URL: strict.apiUrl, SECRETS_KEY: KEY, PROCESSOR_TIMEOUT_MS: '60000' };
    const shop = await createTestApp(env);
    try {
      const { id, account, processor } = await connect(shop, strict);
      expect(processor.webhook).toEqual({ state: 'polling', lastEventAt: null });
      expect(await endpointsOf(account, strict)).toEqual([]);
      const planId = await makeOffer(shop.test, EUROS);
      const { body } = await buy(shop.test, {
        ...{ offersIds: [planId], processorId: id, paymentMethod: 'pm_card_authenticationRequired' },
      });
      expect(body.data.payment.status).toBe('PENDING');
      const [charge] = await shop.service.db
        .selectFrom('charges')
        .select('actionPath')
        .where('connectionId', '=', id)
        .execute();
      // Its buyer authenticates where they are sent to, and closes the tab.
      const sent = await shop.app.inject({ method: 'GET', url: charge?.actionPath ?? '/' });
      const where = new URL(String(sent.headers.location));
      await fetch(`${where.origin}${where.pathname}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({
          client_secret: where.searchParams.get('client_secret') ?? '',
          answer: 'complete',
        }),
      });
      await shop.service.books.readStore(shop.test.scope);
      await shop.wired.worker.runDue();
      const { payment } = (await shop.test.get(`/v0/payments/${body.data.payment.id}`)).body.data;
      expect(payment.status).toBe('PAID');
      // From here on it is reached at an address of everybody's.
      shop.service.config.publicUrl = 'https://shop.example';
      expect(await tendEndpoints(shop.service, { everyMs: 0 })).toBe(1);
      const [made] = await endpointsOf(account, strict);
      expect(made?.url).toMatch(/^https:\/\/shop\.example\/processor-events\//);
      const after = (await shop.test.get(`/v0/processors/${id}`)).body.data.processor;
      expect(after.webhook.state).toBe('active');
    } finally {
      await shop.close();
      await strict.close();
    }
  });
});

describe('P49 a connection is given up', () => {
  it('not while something is open over it, else its keys and its endpoint go at once', async () => {
    const { id, account } = await connect();
    const archive = (body: object) => app.test.patch(`/v0/processors/${id}/archive`, body);
    const waiting = await purchase(id, 'pm_card_authenticationRequired');
    await expectRefusal(archive({ forget: true }), 409, 'processor_in_use');
    expect((await shown(id)).status).toBe('active');
    // Its buyer never comes.
    await advance(app, app.test.scope, 2 * DAY_MS);
    const { payment } = (await app.test.get(`/v0/payments/${waiting.body.data.payment.id}`)).body.data;
    expect(payment.charges[0].status).toBe('failed');
    const gone = await archive({ forget: true });
    expect(gone.body.data.processor, gone.text).toMatchObject({
      ...{ status: 'retired', keyLast4: null, webhook: { state: 'none' } },
    });
    expect(await endpointsOf(account)).toEqual([]);
    expect((await archive({ forget: true })).status).toBe(200);
    await expectRefusal(archive({}), 409, 'processor_state');
  });

  it('P49 charges no more: what is due waits, and whoever asks for a charge is refused', async () => {
    const { id, account } = await connect();
    const planId = await makePlanOffer(app.test, { ...EUROS, price: 900 });
    const { order, subscription } = (await purchase(id, 'pm_card_visa', [planId])).body.data;
    await app.test.patch(`/v0/processors/${id}/archive`, { forget: true, confirm: true });
    const asked = [
      app.test.post(`/v0/subscriptions/${subscription.id}/charge`, { items: [{ offerId, quantity: 1 }] }),
      app.test.post('/v0/subscriptions/create', { userId: order.userId, offerId: planId }),
    ];
    for (const one of asked) await expectRefusal(one, 409, 'processor_not_configured');
    await advance(app, app.test.scope, 32 * DAY_MS);
    const list = async () =>
      (await app.test.get(`/v0/payments/list?subscriptionId=${subscription.id}`)).body.data.payments;
    expect(await list()).toHaveLength(1);
    expect(await shown(id)).toMatchObject({
      ...{ status: 'retired', health: { state: 'ok', waiting: { charges: 1, refunds: 0 } } },
    });
    await connect(app, double, account);
    await advance(app, app.test.scope, DAY_MS);
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual(['PAID', 'PAID']);
  });

  it('is the same again once its account is connected again, and renews', async () => {
    const { id, account } = await connect();
    const planId = await makePlanOffer(app.test, { ...EUROS, price: 900 });
    const { body } = await purchase(id, 'pm_card_visa', [planId]);
    const archive = (fields: object) => app.test.patch(`/v0/processors/${id}/archive`, fields);
    await expectRefusal(archive({ forget: true }), 409, 'processor_in_use');
    expect((await archive({ forget: true, confirm: true })).status).toBe(200);
    const again = await connect(app, double, account);
    expect(again.processor).toMatchObject({ id, status: 'active', webhook: { state: 'active' } });
    expect(await endpointsOf(account)).toHaveLength(1);
    await advance(app, app.test.scope, 32 * DAY_MS);
    const path = `/v0/payments/list?subscriptionId=${body.data.subscription.id}`;
    const { payments } = (await app.test.get(path)).body.data;
    expect(payments.filter(({ status }: { status: string }) => status === 'PAID').length).toBe(2);
  });

  it('180 days after it was retired by itself', async () => {
    const { id, account } = await connect();
    expect((await app.test.patch(`/v0/processors/${id}/archive`, {})).body.data.processor.status).toBe(
      'retired',
    );
    expect(await forgetRetired(app.service)).toBe(0);
    expect(await endpointsOf(account)).toHaveLength(1);
    await app.service.db
      .updateTable('processors')
      .set((eb) => ({ retiredAt: eb('retiredAt', '-', 181 * DAY_MS) }))
      .where('id', '=', id)
      .execute();
    expect(await forgetRetired(app.service)).toBe(1);
    expect(await endpointsOf(account)).toEqual([]);
    expect(await shown(id)).toMatchObject({ keyLast4: null, webhook: { state: 'none' } });
  });
});

describe('hosts whose pages show wallets', () => {
  interface Domain {
    domain_name: string;
    enabled: boolean;
  }
  const namedAt = async (account: StripeAccount) =>
    (await askStripe<{ data: Domain[] }>(double, account, 'GET /v1/payment_method_domains')).data
      .map(({ domain_name }) => domain_name)
      .sort();

  it('P16 are named when an account is connected, and when they change', async () => {
    const change = (authorizedDomains: string[]) =>
      app.test.patch('/v0/settings/update', { authorizedDomains });
    await change([
      'https://shop.example',
      '*.shop.example',
      'http://plain.example',
      'https://shop.example:8443',
    ]);
    const { account, id } = await connect();
    expect(await namedAt(account)).toEqual(['shop.example']);
    expect((await shown(id)).health.domains).toEqual([{ host: 'shop.example', state: 'active' }]);
    await registerDomains(app.service, { everyMs: DAY_MS });
    await change(['https://shop.example', 'game.example']);
    const match = { account: account.id, method: 'POST', path: '/v1/payment_method_domains' };
    const fault = await double.control('POST /faults', { match, do: { drop: 'before' }, times: 1 });
    await registerDomains(app.service, { everyMs: DAY_MS });
    await double.control(`DELETE /faults/${String(fault.id)}`);
    expect((await shown(id)).health.domains).toEqual([
      { host: 'shop.example', state: 'pending' },
      { host: 'game.example', state: 'active' },
    ]);
    expect(await namedAt(account)).toEqual(['game.example', 'shop.example']);
    await registerDomains(app.service, { everyMs: 0 });
    expect((await shown(id)).health.domains).toMatchObject([{ state: 'active' }, { state: 'active' }]);
    await change([]);
  });

  it('P16 prove to Apple what the operator was given, and nothing without it', async () => {
    const path = '/.well-known/apple-developer-merchantid-domain-association';
    expect((await app.app.inject({ url: path })).statusCode).toBe(404);
    const other = await createTestApp({ APPLE_PAY_DOMAIN_ASSOCIATION: '7B227073704964223A22' });
    try {
      const { statusCode, payload, headers } = await other.app.inject({ url: path });
      expect([statusCode, payload]).toEqual([200, '7B227073704964223A22']);
      expect(headers['content-type']).toContain('text/plain');
    } finally {
      await other.close();
    }
  });
});
