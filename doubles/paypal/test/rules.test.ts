/** What PayPal's pages say of each call, tried on the stand-in. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import {
  askToken,
  type Client,
  CONTEXT,
  control,
  issueOf,
  type Keys,
  linkOf,
  openAccount,
  press,
  start,
  toClient,
  toOrder,
} from './support/stand-in.ts';

let double: Double;
let keys: Keys;
let paypal: Client;
let hook: Server;
let hookUrl: string;
const heard: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  double = await start();
  keys = await openAccount(double);
  paypal = toClient(double, keys);
  hook = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += String(part);
    heard.push({ headers: request.headers, body });
    response.end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`;
});
afterAll(async () => {
  await double.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

async function approved(value = '12.34', funding = 'balance', more: object = {}, source: object = {}) {
  const { body: order } = await paypal('POST /v2/checkout/orders', toOrder(value, more, source));
  await press(linkOf(order, 'payer-action'), 'approve', funding);
  return order.id as string;
}

async function captured(value = '12.34', funding = 'balance', more: object = {}, source: object = {}) {
  const id = await approved(value, funding, more, source);
  const { body } = await paypal(`POST /v2/checkout/orders/${id}/capture`, {});
  return { id, order: body, capture: body.purchase_units[0].payments.captures[0] };
}

describe('who calls', () => {
  it('is told by a token of client id and secret, which lives for nine hours', async () => {
    const own = await openAccount(double);
    expect(await askToken(double, own)).toMatchObject({ status: 200, body: { expires_in: 32_400 } });
    expect(await askToken(double, { ...own, clientSecret: 'x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const { body: token } = await askToken(double, own);
    const ask = () =>
      fetch(`${double.apiUrl}/v1/identity/oauth2/userinfo`, {
        headers: { authorization: `Bearer ${token.access_token}` },
      });
    expect(await (await ask()).json()).toMatchObject({ payer_id: own.id });
    await control(double, `POST /accounts/${own.id}/revoke`);
    expect((await ask()).status).toBe(401);
  });

  it('finds nothing of another account', async () => {
    const id = await approved();
    const other = toClient(double, await openAccount(double));
    expect(issueOf(await other(`GET /v2/checkout/orders/${id}`))).toBe('404 INVALID_RESOURCE_ID');
  });

  it('is refused a path that nobody knows, which is noted', async () => {
    expect((await paypal('GET /v1/never')).status).toBe(404);
    const text = await (await fetch(`${double.controlUrl}/unknown-calls`)).text();
    expect(text).toContain('/v1/never');
  });
});

describe('orders', () => {
  it('are taken only once the payer approved, and once alone', async () => {
    const { status, body: order } = await paypal('POST /v2/checkout/orders', toOrder());
    expect([status, order.status]).toEqual([201, 'PAYER_ACTION_REQUIRED']);
    expect(issueOf(await paypal(`POST /v2/checkout/orders/${order.id}/capture`, {}))).toBe(
      '422 ORDER_NOT_APPROVED',
    );
    const back = await press(linkOf(order, 'payer-action'), 'approve');
    expect(back).toContain(`https://shop.example/return?token=${order.id}&PayerID=`);
    expect((await paypal(`GET /v2/checkout/orders/${order.id}`)).body.status).toBe('APPROVED');
    const taken = await paypal(`POST /v2/checkout/orders/${order.id}/capture`, {});
    expect([taken.status, taken.body.status]).toEqual([201, 'COMPLETED']);
    expect(taken.body.purchase_units[0].payments.captures[0]).toMatchObject({
      status: 'COMPLETED',
      amount: { currency_code: 'EUR', value: '12.34' },
      custom_id: 'charge_1',
      seller_receivable_breakdown: { paypal_fee: { value: '0.66' }, net_amount: { value: '11.68' } },
    });
    expect(issueOf(await paypal(`POST /v2/checkout/orders/${order.id}/capture`, {}))).toBe(
      '422 ORDER_ALREADY_CAPTURED',
    );
  });

  it('are not approved by a payer who cancels', async () => {
    const { body: order } = await paypal('POST /v2/checkout/orders', toOrder());
    expect(await press(linkOf(order, 'payer-action'), 'cancel')).toBe(
      `https://shop.example/cancel?token=${order.id}`,
    );
    expect((await paypal(`GET /v2/checkout/orders/${order.id}`)).body.status).toBe('PAYER_ACTION_REQUIRED');
  });

  it('whose way to pay is declined stay approved', async () => {
    const { body: order } = await paypal('POST /v2/checkout/orders', toOrder());
    await press(linkOf(order, 'payer-action'), 'decline');
    expect(issueOf(await paypal(`POST /v2/checkout/orders/${order.id}/capture`, {}))).toBe(
      '422 INSTRUMENT_DECLINED',
    );
  });

  it('are the same order under the same request id', async () => {
    const key = { 'paypal-request-id': randomUUID() };
    const one = await paypal('POST /v2/checkout/orders', toOrder(), key);
    const two = await paypal('POST /v2/checkout/orders', toOrder(), key);
    expect([one.status, two.status, two.body.id]).toEqual([201, 200, one.body.id]);
    await control(double, 'POST /clock', { byMs: 6 * 3_600_000 });
    const late = await paypal('POST /v2/checkout/orders', toOrder(), key);
    expect(late.body.id).not.toBe(one.body.id);
    expect((await paypal(`GET /v2/checkout/orders/${one.body.id}`)).status).toBe(404);
  });

  it.each([
    ['400 MISSING_REQUIRED_PARAMETER', { intent: 'CAPTURE' }],
    ['422 UNSUPPORTED_INTENT', { intent: 'AUTHORIZE' }],
    ['422 CURRENCY_NOT_SUPPORTED', toOrder('1.00', { amount: { currency_code: 'KWD', value: '1.00' } })],
    ['422 DECIMALS_NOT_SUPPORTED', toOrder('1', { amount: { currency_code: 'JPY', value: '1.5' } })],
    ['422 DECIMAL_PRECISION', toOrder('1.001')],
    ['422 CANNOT_BE_ZERO_OR_NEGATIVE', toOrder('0.00')],
    ['400 INVALID_PARAMETER_SYNTAX', toOrder('one')],
    ['400 INVALID_STRING_LENGTH', toOrder('1.00', { soft_descriptor: 'x'.repeat(23) })],
  ])('are refused: %s', async (issue, body) => {
    expect(issueOf(await paypal('POST /v2/checkout/orders', body))).toBe(issue);
  });

  it('with a stored payer are taken by the capture, or by the one call', async () => {
    const vault = { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } };
    const { order } = await captured('5.00', 'balance', {}, vault);
    const vaultId = order.payment_source.paypal.attributes.vault.id;
    const source = {
      payment_source: {
        paypal: {
          vault_id: vaultId,
          stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT' },
        },
      },
    };
    const plain = {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'EUR', value: '7.00' } }],
    };
    const { body: made } = await paypal('POST /v2/checkout/orders', plain);
    expect(made.status).toBe('CREATED');
    const taken = await paypal(`POST /v2/checkout/orders/${made.id}/capture`, source);
    expect(taken.body.status).toBe('COMPLETED');
    const once = await paypal('POST /v2/checkout/orders', { ...plain, ...source });
    expect(once.body.status).toBe('COMPLETED');

    await control(double, `POST /objects/${vaultId}/update`, { authenticate: true });
    const asked = await paypal('POST /v2/checkout/orders', plain);
    const path = `POST /v2/checkout/orders/${asked.body.id}/capture`;
    expect(issueOf(await paypal(path, source))).toBe('422 PAYER_ACTION_REQUIRED');
    await control(double, `POST /objects/${vaultId}/update`, { authenticate: false, funding: 'declined' });
    expect(issueOf(await paypal(path, source))).toBe('422 INSTRUMENT_DECLINED');
    expect((await paypal(`DELETE /v3/vault/payment-tokens/${vaultId}`)).status).toBe(204);
    expect(issueOf(await paypal(path, source))).toBe('422 TOKEN_ID_NOT_FOUND');
  });
});

describe('captures', () => {
  it('wait for an eCheck, and are completed or denied', async () => {
    const one = await captured('20.00', 'bank');
    expect(one.capture).toMatchObject({ status: 'PENDING', status_details: { reason: 'ECHECK' } });
    expect(issueOf(await paypal(`POST /v2/payments/captures/${one.capture.id}/refund`, {}))).toBe(
      '422 PENDING_CAPTURE',
    );
    await control(double, `POST /objects/${one.capture.id}/settle`, {});
    expect((await paypal(`GET /v2/payments/captures/${one.capture.id}`)).body.status).toBe('COMPLETED');
    const two = await captured('20.00', 'review');
    await control(double, `POST /objects/${two.id}/fail`, {});
    expect((await paypal(`GET /v2/payments/captures/${two.capture.id}`)).body.status).toBe('DECLINED');
    expect(issueOf(await paypal(`POST /v2/payments/captures/${two.capture.id}/refund`, {}))).toBe(
      '422 REFUND_NOT_ALLOWED',
    );
  });

  it('are refunded in parts, never beyond what was taken', async () => {
    const { capture } = await captured('10.00');
    const path = `POST /v2/payments/captures/${capture.id}/refund`;
    const part = { amount: { currency_code: 'EUR', value: '4.00' }, custom_id: 'refund_1' };
    const key = { 'paypal-request-id': randomUUID() };
    const one = await paypal(path, part, key);
    expect(one.body).toMatchObject({ status: 'COMPLETED', custom_id: 'refund_1' });
    await control(double, 'POST /clock', { byMs: 44 * 86_400_000 });
    expect((await paypal(path, part, key)).body.id).toBe(one.body.id);
    expect(issueOf(await paypal(path, { amount: { currency_code: 'EUR', value: '6.01' } }))).toBe(
      '422 REFUND_AMOUNT_EXCEEDED',
    );
    expect(issueOf(await paypal(path, { amount: { currency_code: 'USD', value: '1.00' } }))).toBe(
      '422 REFUND_CAPTURE_CURRENCY_MISMATCH',
    );
    expect((await paypal(`GET /v2/payments/captures/${capture.id}`)).body.status).toBe('PARTIALLY_REFUNDED');
    expect((await paypal(path)).body.amount.value).toBe('6.00');
    expect(issueOf(await paypal(path))).toBe('422 CAPTURE_FULLY_REFUNDED');
  });
});

describe('payers', () => {
  it('are kept by a setup token that they approved, once', async () => {
    const { body: setup } = await paypal('POST /v3/vault/setup-tokens', {
      payment_source: { paypal: { usage_type: 'MERCHANT', experience_context: CONTEXT } },
    });
    expect(setup.status).toBe('PAYER_ACTION_REQUIRED');
    const token = { payment_source: { token: { id: setup.id, type: 'SETUP_TOKEN' } } };
    expect(issueOf(await paypal('POST /v3/vault/payment-tokens', token))).toBe(
      '422 SETUP_TOKEN_NOT_APPROVED',
    );
    expect(await press(linkOf(setup, 'approve'), 'approve')).toContain('https://shop.example/return?');
    const made = await paypal('POST /v3/vault/payment-tokens', token);
    expect(made.body.payment_source.paypal.email_address).toBe('buyer@personal.example.com');
    expect(issueOf(await paypal('POST /v3/vault/payment-tokens', token))).toBe(
      '422 SETUP_TOKEN_ALREADY_USED',
    );
    const listed = await paypal(`GET /v3/vault/payment-tokens?customer_id=${made.body.customer.id}`);
    expect(listed.body.payment_tokens.map(({ id }: { id: string }) => id)).toEqual([made.body.id]);
  });
});

describe('events', () => {
  it('are sent signed, verified byte for byte, and listed', async () => {
    const events = { url: hookUrl, event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }] };
    const { body: webhook } = await paypal('POST /v1/notifications/webhooks', events);
    expect((await paypal('POST /v1/notifications/webhooks', events)).body.name).toBe(
      'WEBHOOK_URL_ALREADY_EXISTS',
    );
    const { capture } = await captured('3.00');
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = heard;
    const event = JSON.parse(body);
    expect(event).toMatchObject({ event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: capture.id } });
    const ask = (raw: string) =>
      `{"auth_algo":"SHA256withRSA","cert_url":"${headers['paypal-cert-url']}","transmission_id":"${headers['paypal-transmission-id']}","transmission_sig":"${headers['paypal-transmission-sig']}","transmission_time":"${headers['paypal-transmission-time']}","webhook_id":"${webhook.id}","webhook_event":${raw}}`;
    expect(await verify(ask(body))).toBe('SUCCESS');
    expect(await verify(ask(JSON.stringify(event, null, 1)))).toBe('FAILURE');
    expect(await verify(ask(body.replace('3.00', '3.01')))).toBe('FAILURE');
    const listed = await paypal('GET /v1/notifications/webhooks-events?page_size=100');
    expect(listed.body.events.map(({ id }: { id: string }) => id)).toContain(event.id);
    expect((await paypal(`DELETE /v1/notifications/webhooks/${webhook.id}`)).status).toBe(204);
  });

  async function verify(raw: string): Promise<string> {
    const { body: token } = await askToken(double, keys);
    const answer = await fetch(`${double.apiUrl}/v1/notifications/verify-webhook-signature`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token.access_token}` },
      body: raw,
    });
    return ((await answer.json()) as { verification_status: string }).verification_status;
  }
});

const eur = (value: string) => ({ currency_code: 'EUR', value });
const toIso = (ms: number) => new Date(ms).toISOString();
/** What the tests before have moved is not seen there. */
async function useOwnAccount() {
  const [own, before] = [await openAccount(double), paypal];
  paypal = toClient(double, own);
  return {
    own,
    goBack: () => {
      paypal = before;
    },
  };
}

describe('disputes and books', () => {
  it('goes from inquiry to a lost dispute, which reverses the payment', async () => {
    const { capture } = await captured('40.00', 'balance', { custom_id: 'disputed' });
    const act = (stage: string) =>
      control<{ dispute_id: string }>(double, `POST /objects/${capture.id}/dispute`, { stage });
    const { dispute_id: id } = await act('inquiry');
    const read = async () => (await paypal(`GET /v1/customer/disputes/${id}`)).body;
    expect(await read()).toMatchObject({ status: 'OPEN', dispute_life_cycle_stage: 'INQUIRY' });
    await act('open');
    expect(await read()).toMatchObject({ dispute_life_cycle_stage: 'CHARGEBACK' });
    const found = await paypal(`GET /v1/customer/disputes?disputed_transaction_id=${capture.id}`);
    expect(found.body.items).toHaveLength(1);
    await act('lost');
    expect(await read()).toMatchObject({
      status: 'RESOLVED',
      dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' },
    });
    const books = await control<{ charges: Record<string, object> }>(double, `GET /books?account=${keys.id}`);
    expect(books.charges.disputed).toEqual({ taken: 4000, refunded: 0, disputed: 4000, currency: 'eur' });
  });

  it('tell what moved three hours late, and the balance at once', async () => {
    const { own, goBack } = await useOwnAccount();
    try {
      const { capture } = await captured('10.00');
      const list = () =>
        paypal(
          'GET /v1/reporting/transactions?start_date=2026-11-01T00:00:00Z&end_date=2026-11-30T00:00:00Z',
        );
      const readBalance = async () => (await paypal('GET /v1/reporting/balances')).body.balances[0];
      await control(double, `POST /objects/${capture.id}/dispute`, { stage: 'open' });
      expect(await readBalance()).toMatchObject({
        ...{ total_balance: eur('9.40'), available_balance: eur('-0.60'), withheld_balance: eur('10.00') },
      });
      await control(double, `POST /objects/${capture.id}/dispute`, { stage: 'won' });
      expect(await readBalance()).toMatchObject({
        total_balance: eur('9.40'),
        available_balance: eur('9.40'),
      });
      expect((await control(double, `GET /books?account=${own.id}`)).balance).toEqual({ eur: 940 });
      await control(double, 'POST /clock', { byMs: 3 * 3_600_000 });
      const [from, to] = [double.world.nowMs - 86_400_000, double.world.nowMs].map(toIso);
      const { body } = await paypal(`GET /v1/reporting/transactions?start_date=${from}&end_date=${to}`);
      expect(body.transaction_details).toMatchObject([
        {
          transaction_info: {
            transaction_id: capture.id,
            transaction_amount: { value: '10.00' },
            fee_amount: { value: '-0.60' },
            custom_field: 'charge_1',
          },
        },
        { transaction_info: { transaction_event_code: 'T1110', transaction_amount: { value: '-10.00' } } },
        { transaction_info: { transaction_event_code: 'T1111', transaction_amount: { value: '10.00' } } },
      ]);
      expect((await list()).status).toBe(200);
      const wide = await paypal(
        'GET /v1/reporting/transactions?start_date=2026-10-01T00:00:00Z&end_date=2026-11-30T00:00:00Z',
      );
      expect(wide.status).toBe(400);
    } finally {
      goBack();
    }
  });
});

describe('the report of transactions', () => {
  it('names refunds, those that came back, and what a lost dispute took, by code and reference', async () => {
    const { goBack } = await useOwnAccount();
    try {
      const { capture } = await captured('10.00');
      const { body: refund } = await paypal(`POST /v2/payments/captures/${capture.id}/refund`, {
        amount: eur('4.00'),
      });
      await control(double, `POST /objects/${refund.id}/return`, {});
      await control(double, `POST /objects/${capture.id}/dispute`, { stage: 'lost' });
      await control(double, 'POST /clock', { byMs: 4 * 3_600_000 });
      const [from, to] = [double.world.nowMs - 86_400_000, double.world.nowMs].map(toIso);
      const query = `start_date=${from}&end_date=${to}`;
      const { body } = await paypal(`GET /v1/reporting/transactions?${query}`);
      const toSaid = ({ transaction_info: told }: { transaction_info: Record<string, unknown> }) => [
        ...[told.transaction_event_code, told.transaction_amount, told.paypal_reference_id],
      ];
      expect(body.transaction_details.map(toSaid)).toEqual([
        ['T0006', eur('10.00'), undefined],
        ['T1107', eur('-4.00'), capture.id],
        ['T1100', eur('4.00'), refund.id],
        ['T1110', eur('-10.00'), capture.id],
        ['T1111', eur('10.00'), capture.id],
        ['T1106', eur('-10.00'), capture.id],
      ]);
    } finally {
      goBack();
    }
  });
});
