import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import { control, type Keys, lines, openAccount, start, toClient } from './support/stand-in.ts';

let double: Double;
let keys: Keys;
let stripe: Stripe;

beforeAll(async () => {
  double = await start();
  keys = await openAccount(double);
  stripe = toClient(double, keys.secretKey);
});
afterAll(() => double.close());

const CARD = { allowed_payment_method_types: ['card'], currency: 'eur' };

async function raw(call: string, key: string, body: string): Promise<Response> {
  const [method = 'POST', url = ''] = call.split(' ');
  return fetch(`${double.apiUrl}${url}`, {
    method,
    headers: { authorization: `Bearer ${keys.secretKey}`, 'idempotency-key': key },
    body,
  });
}

async function withFault(fault: object, work: () => Promise<void>): Promise<void> {
  const { id } = await control<{ id: string }>(double, 'POST /faults', fault);
  try {
    await work();
  } finally {
    await control(double, `DELETE /faults/${id}`);
  }
}

describe('faults', () => {
  const BODY = 'amount=1000&currency=eur&allowed_payment_method_types[]=card';
  const CREATE = 'POST /v1/payment_intents';

  it('drops after the effect, and the repetition under the key meets the same fault and counts for nothing', async () => {
    await withFault(
      { match: { method: 'POST', path: '/v1/payment_intents' }, do: { drop: 'after' }, times: 1 },
      async () => {
        const key = randomUUID();
        const before = (await stripe.paymentIntents.list({ limit: 100 })).data.length;
        await expect(raw(CREATE, key, BODY)).rejects.toThrow();
        await expect(raw(CREATE, key, BODY)).rejects.toThrow();
        expect((await stripe.paymentIntents.list({ limit: 100 })).data).toHaveLength(before + 1);
        expect((await raw(CREATE, randomUUID(), BODY)).status).toBe(200);
      },
    );
  });

  it('drops before the effect', async () => {
    await withFault({ match: { path: '/v1/customers' }, do: { drop: 'before' }, times: 1 }, async () => {
      await expect(raw('POST /v1/customers', randomUUID(), 'name=none')).rejects.toThrow();
      expect((await stripe.customers.list({ limit: 100 })).data).toHaveLength(0);
    });
  });

  it('meets by ordinal, and by the metadata of the object', async () => {
    const intents = await Promise.all(
      ['renewal', 'first', 'renewal'].map((purpose) =>
        stripe.paymentIntents.create({ amount: 1000, ...CARD, metadata: { cf_purpose: purpose } }),
      ),
    );
    const match = {
      method: 'POST',
      path: '/v1/payment_intents/*/confirm',
      metadata: { cf_purpose: 'renewal' },
      ordinal: [2],
    };
    await withFault({ match, do: { status: 503 } }, async () => {
      const ends: string[] = [];
      for (const { id } of intents) {
        const end = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' }).then(
          ({ status }) => status,
          (error) => String(error.statusCode),
        );
        ends.push(end);
      }
      expect(ends).toEqual(['succeeded', 'succeeded', '503']);
    });
  });

  it('keeps a 500 under its key, with the effect or without', async () => {
    for (const effect of [true, false]) {
      const key = randomUUID();
      const before = (await stripe.paymentIntents.list({ limit: 100 })).data.length;
      await withFault(
        { match: { method: 'POST', path: '/v1/payment_intents' }, do: { status: 500, effect }, times: 1 },
        async () => {
          expect((await raw(CREATE, key, BODY)).status).toBe(500);
        },
      );
      const again = await raw(CREATE, key, BODY);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([500, 'true']);
      expect((await stripe.paymentIntents.list({ limit: 100 })).data).toHaveLength(before + (effect ? 1 : 0));
    }
  });

  it('does not keep a 429, and names its code', async () => {
    const key = randomUUID();
    await withFault({ do: { status: 429, code: 'lock_timeout' }, times: 1 }, async () => {
      const answer = await raw(CREATE, key, BODY);
      expect(((await answer.json()) as { error: { code: string } }).error.code).toBe('lock_timeout');
    });
    expect((await raw(CREATE, key, BODY)).status).toBe(200);
  });

  it.each([401, 403, 409, 429])(
    'turns away with %i behind the effect, and the repetition under the key too',
    async (status) => {
      const key = randomUUID();
      const before = (await stripe.paymentIntents.list({ limit: 100 })).data.length;
      const fault = { match: { path: '/v1/payment_intents' }, do: { status, effect: true }, times: 1 };
      await withFault(fault, async () => {
        expect((await raw(CREATE, key, BODY)).status).toBe(status);
        expect((await raw(CREATE, key, BODY)).status).toBe(status);
        expect((await raw(CREATE, randomUUID(), BODY)).status).toBe(200);
      });
      const healed = await raw(CREATE, key, BODY);
      expect([healed.status, healed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect((await stripe.paymentIntents.list({ limit: 100 })).data).toHaveLength(before + 2);
    },
  );

  it('cuts a body, answers a page, sets a field and a header', async () => {
    const match = { method: 'GET', path: '/v1/balance' };
    await withFault({ match, do: { cut: true }, times: 1 }, async () => {
      await expect(stripe.balance.retrieve()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    });
    await withFault({ match, do: { html: true }, times: 1 }, async () => {
      await expect(stripe.balance.retrieve()).rejects.toMatchObject({ type: 'StripeAPIError' });
    });
    await withFault({ match, do: { set: { object: 'new_word', pending: null } } }, async () => {
      const balance = await stripe.balance.retrieve();
      expect([balance.object, balance.pending]).toEqual(['new_word', undefined]);
    });
    await withFault({ match, do: { header: { 'stripe-should-retry': 'false' } } }, async () => {
      const { lastResponse } = await stripe.balance.retrieve();
      expect(lastResponse.headers['stripe-should-retry']).toBe('false');
    });
  });

  it('takes another sum in another currency', async () => {
    const match = { path: '/v1/payment_intents/*/confirm' };
    const { id } = await stripe.paymentIntents.create({ amount: 1000, ...CARD });
    await withFault({ match, do: { take: { amount: 999, currency: 'usd' } } }, async () => {
      const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
      expect([paid.amount, paid.amount_received, paid.currency]).toEqual([1000, 999, 'usd']);
    });
  });

  it('shares by key, the same each time', async () => {
    const statuses: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const own = await start();
      const account = await openAccount(own);
      await control(own, 'POST /faults', { match: { share: 0.3 }, do: { status: 503 } });
      const ends = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const answer = await fetch(`${own.apiUrl}/v1/customers`, {
            method: 'POST',
            headers: { authorization: `Bearer ${account.secretKey}`, 'idempotency-key': `key-${index}` },
          });
          return answer.ok ? ((await answer.json()) as { id: string }).id : String(answer.status);
        }),
      );
      statuses.push(ends.join(' '));
      await own.close();
    }
    expect(statuses[0]).toBe(statuses[1]);
    expect(statuses[0]).toMatch(/503/);
    expect(statuses[0]).toMatch(/cus_/);
  });
});

describe('idempotency', () => {
  it('is in use while the first call is under way', async () => {
    await withFault({ match: { path: '/v1/customers' }, do: { delayMs: 300 }, times: 1 }, async () => {
      const key = randomUUID();
      const [one, other] = await Promise.all([
        raw('POST /v1/customers', key, ''),
        raw('POST /v1/customers', key, ''),
      ]);
      expect([one.status, other.status].sort()).toEqual([200, 409]);
    });
  });

  it('forgets a key after 24 hours of its clock', async () => {
    const key = randomUUID();
    const first = (await (await raw('POST /v1/customers', key, '')).json()) as { id: string };
    await control(double, 'POST /clock', { byMs: 25 * 3_600_000 });
    const second = (await (await raw('POST /v1/customers', key, '')).json()) as { id: string };
    expect(second.id).not.toBe(first.id);
  });
});

describe('events', () => {
  it('are signed, held, repeated, and sent before the answer', async () => {
    const received: { body: string; signature: string }[] = [];
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      received.push({ body, signature: String(request.headers['stripe-signature']) });
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const endpoint = await stripe.webhookEndpoints.create({
      url,
      enabled_events: ['payment_intent.succeeded'],
    });
    const pay = (): Promise<unknown> =>
      stripe.paymentIntents.create({ amount: 1000, ...CARD, confirm: true, payment_method: 'pm_card_visa' });
    await control(double, 'POST /events', { deliver: 'before_answer', repeat: 2 });
    await pay();
    expect(received).toHaveLength(2);
    const [first] = received;
    const event = stripe.webhooks.constructEvent(
      String(first?.body),
      String(first?.signature),
      String(endpoint.secret),
    );
    expect(event.type).toBe('payment_intent.succeeded');
    await control(double, 'POST /events', { deliver: 'never', signature: 'wrong' });
    await pay();
    expect(received).toHaveLength(2);
    expect(await control(double, 'POST /events', { deliver: 'now', signature: 'wrong' })).toEqual({
      waiting: 1,
    });
    await expect.poll(() => received.length).toBe(3);
    const last = received.at(-1);
    expect(() =>
      stripe.webhooks.constructEvent(String(last?.body), String(last?.signature), String(endpoint.secret)),
    ).toThrow();
    await control(double, 'POST /events', {});
    await stripe.webhookEndpoints.del(endpoint.id);
    server.closeAllConnections();
    server.close();
  });
});

describe('the journal', () => {
  it('brings everything back after a kill', async () => {
    const journal = path.join(mkdtempSync(path.join(os.tmpdir(), 'double-')), 'journal');
    const first = await start({ journal });
    const account = await openAccount(first);
    const paid = await toClient(first, account.secretKey).paymentIntents.create({
      amount: 1000,
      ...CARD,
      confirm: true,
      payment_method: 'pm_card_visa',
      metadata: { cf_charge: 'c1' },
    });
    await control(first, 'POST /kill');
    await first.close();
    const second = await start({ journal });
    const found = await toClient(second, account.secretKey).paymentIntents.retrieve(paid.id);
    expect(found.status).toBe('succeeded');
    const books = await control<{ charges: object }>(second, `GET /books?account=${account.id}`);
    expect(books.charges).toEqual({ c1: { taken: 1000, refunded: 0, disputed: 0, currency: 'eur' } });
    await second.close();
  });
});

describe('the world outside', () => {
  it('has a bank answer, disputes by stage and sends a refund back', async () => {
    const online = { ip_address: '127.0.0.1', user_agent: 'test' };
    const debit = await stripe.paymentIntents.create({
      amount: 1000,
      currency: 'eur',
      allowed_payment_method_types: ['sepa_debit'],
      confirm: true,
      payment_method: 'pm_failedDelayed_de',
      mandate_data: { customer_acceptance: { type: 'online', online } },
    });
    expect(await control(double, `POST /objects/${debit.id}/settle`)).toMatchObject({ status: 'succeeded' });
    const paid = await stripe.paymentIntents.create({
      amount: 1000,
      ...CARD,
      confirm: true,
      payment_method: 'pm_card_visa',
    });
    const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
    expect(await control(double, `POST /objects/${refund.id}/return`)).toMatchObject({ status: 'failed' });
    const dispute = (stage: string): Promise<unknown> =>
      control(double, `POST /objects/${paid.id}/dispute`, { stage, amount: 500 });
    expect(await dispute('inquiry')).toMatchObject({ status: 'warning_needs_response', amount: 500 });
    expect(await dispute('open')).toMatchObject({ status: 'needs_response' });
    const [open] = (await stripe.disputes.list({ payment_intent: paid.id })).data;
    await expect(control(double, `POST /objects/${open?.id}/dispute`, { stage: 'inquiry' })).rejects.toThrow(
      'no inquiry any more',
    );
    expect(await dispute('lost')).toMatchObject({ status: 'lost' });
    expect((await stripe.disputes.list({ payment_intent: paid.id })).data).toHaveLength(1);
  });

  it('refunds nothing that a bank holds, and all that came back', async () => {
    const { id } = await stripe.paymentIntents.create({
      ...{ amount: 1000, ...CARD, confirm: true, payment_method: 'pm_card_visa' },
    });
    const refund = () => stripe.refunds.create({ payment_intent: id, amount: 100 });
    const dispute = (of: string, stage: string) =>
      control<{ id: string }>(double, `POST /objects/${of}/dispute`, { stage, amount: 500 });
    const isRefused = () => expect(refund()).rejects.toMatchObject({ code: 'charge_disputed' });
    const first = await dispute(id, 'inquiry');
    expect((await refund()).status).toBe('succeeded');
    await dispute(first.id, 'open');
    await isRefused();
    await dispute(first.id, 'won');
    expect((await refund()).status).toBe('succeeded');
    const second = await dispute(id, 'open');
    await isRefused();
    await dispute(second.id, 'lost');
    await isRefused();
  });

  it('sends the bank evidence that was laid down, once a call says so', async () => {
    const { id } = await stripe.paymentIntents.create({
      ...{ amount: 1000, ...CARD, confirm: true, payment_method: 'pm_card_visa' },
    });
    const dispute = await control<{ id: string }>(double, `POST /objects/${id}/dispute`, { stage: 'open' });
    const evidence = { uncategorized_text: 'winning_evidence' };
    expect(await stripe.disputes.update(dispute.id, { evidence, submit: false })).toMatchObject({
      status: 'needs_response',
      evidence_details: { has_evidence: true, submission_count: 0 },
    });
    expect(await stripe.disputes.update(dispute.id, { submit: true })).toMatchObject({
      status: 'won',
      evidence_details: { submission_count: 1 },
    });
    await expect(stripe.disputes.update(dispute.id, { submit: true })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});

describe('accounts and bad calls', () => {
  it('revokes a key and closes an account', async () => {
    const account = await openAccount(double);
    const renewed = await control<Keys>(double, `POST /accounts/${account.id}/revoke`);
    await expect(toClient(double, account.secretKey).balance.retrieve()).rejects.toMatchObject({
      statusCode: 401,
    });
    await toClient(double, renewed.secretKey).balance.retrieve();
    await control(double, `POST /accounts/${account.id}/close`);
    await expect(toClient(double, renewed.secretKey).balance.retrieve()).rejects.toMatchObject({
      statusCode: 403,
    });
  });

  it('answers a bad call with 400 and why', async () => {
    await expect(control(double, 'POST /faults', { do: {} })).rejects.toThrow(/400 .*error/);
    await expect(control(double, 'POST /faults', { do: { cut: true, html: true } })).rejects.toThrow('400');
    await expect(control(double, 'POST /clock', { byMs: 'soon' })).rejects.toThrow('byMs');
    await expect(control(double, 'POST /nothing')).rejects.toThrow('unknown call');
    const takes = [{ amount: 'much' }, { currency: 7 }, { amount: 5, colour: 'red' }, {}];
    for (const take of takes) {
      await expect(control(double, 'POST /faults', { do: { take } })).rejects.toThrow('do.take is wrong');
    }
    const { id } = await openAccount(double);
    for (const verb of ['revoke', 'close']) {
      await expect(control(double, `POST /accounts/${id}/${verb}`, { when: 'now' })).rejects.toThrow('when');
      await expect(control(double, `POST /accounts/acct_none/${verb}`)).rejects.toThrow('acct_none');
    }
    await expect(control(double, `POST /accounts/${id}/rename`)).rejects.toThrow('unknown call');
    await expect(control(double, 'POST /kill', { when: 'now' })).rejects.toThrow('when');
  });

  it('tells of calls that no path is for', async () => {
    await expect(stripe.products.list()).rejects.toMatchObject({ statusCode: 404 });
    expect(await lines(double, '/unknown-calls')).toMatchObject([{ method: 'GET', path: '/v1/products' }]);
  });
});

it('refuses an account that cannot be debited before anything is under way', async () => {
  const customer = (await stripe.customers.create()).id;
  const paid = stripe.paymentIntents.create({
    ...{ amount: 1000, currency: 'gbp', customer, setup_future_usage: 'off_session', confirm: true },
    allowed_payment_method_types: ['bacs_debit'],
    payment_method: 'pm_bacsDebit_invalidAccount',
    mandate_data: {
      customer_acceptance: { type: 'online', online: { ip_address: '127.0.0.1', user_agent: 'a' } },
    },
  });
  await expect(paid).rejects.toMatchObject({ statusCode: 402, code: 'account_closed' });
  const [intent] = (await stripe.paymentIntents.list({ customer })).data;
  expect(intent).toMatchObject({ status: 'requires_payment_method', latest_charge: null });
});
