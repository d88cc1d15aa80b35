import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from '../../../db/database.ts';
import type { CardWallet } from '../../../domain/processors/card-words.ts';
import { describePaymentProvider } from '../contract.testing.ts';
import type { ChargeMethod, ChargeOutcome, PreparedRequest, ProviderScope } from '../payment-provider.ts';
import { SANDBOX_CARDS } from './cards.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { createSandboxStore } from './sandbox-store.ts';

const NOW_MS = Date.UTC(2026, 2, 31, 12);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let database: TestDatabase;
let pool: pg.Pool;
let sandbox: Sandbox;
let scope: ProviderScope;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ ...database.poolConfig, max: 10 });
  // The pool's end does not wait for its connections', so the removal of the database may overtake them.
  pool.on('error', () => {});
  sandbox = createSandbox({ store: createSandboxStore(pool), randomBytes });
  scope = await createStore();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function createStore(): Promise<ProviderScope> {
  const workspaceId = randomUUID();
  await pool.query('insert into workspaces (id, name, created_at) values ($1, $2, 0)', [workspaceId, 'Shop']);
  await pool.query('insert into stores (workspace_id, test_mode) values ($1, true)', [workspaceId]);
  return { workspaceId, testMode: true };
}

function card(
  number: string,
  given: { expiry?: string; cvc?: string | null; wallet?: CardWallet } = {},
): ChargeMethod {
  return { kind: 'card', number, expiry: '12/35', cvc: '123', holder: null, ...given };
}

function toRequest(method: ChargeMethod, given: Partial<PreparedRequest> = {}): PreparedRequest {
  return {
    scope,
    chargeId: randomUUID(),
    amountMinor: 1000n,
    currency: 'EUR',
    customerReference: randomUUID(),
    method,
    offSession: false,
    purpose: 'purchase',
    processorId: null,
    facts: null,
    nowMs: NOW_MS,
    sendByRealMs: Number.POSITIVE_INFINITY,
    ...given,
  };
}

function charge(method: ChargeMethod, given: Partial<PreparedRequest> = {}): Promise<ChargeOutcome> {
  return sandbox.charge(toRequest(method, given));
}

function stored(number: string): ChargeMethod {
  return { kind: 'stored', reference: `card_${number}` };
}

/** Starts a charge and answers how to look it up, cancel it and authenticate it at a later moment. */
async function start(method: ChargeMethod, given: Partial<PreparedRequest> = {}) {
  const request = toRequest(method, given);
  const outcome = await sandbox.charge(request);
  const row = { processorId: null, purpose: 'purchase' as const, expectedByMs: null };
  const at = (afterMs: number) => ({ scope, chargeId: request.chargeId, ...row, nowMs: NOW_MS + afterMs });
  return { request, outcome, at };
}

async function readBooks(chargeId: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await pool.query('select * from sandbox_charges where id = $1', [chargeId]);
  return rows[0];
}

const toContract = (provider: Sandbox, own: ProviderScope, strange: ProviderScope) => ({
  provider,
  scope: own,
  other: { provider, scope: strange },
  nowMs: NOW_MS,
  methods: {
    succeeding: card('4242424242424242'),
    declining: card('4000000000000002'),
    authenticating: card('4000002500003155'),
    malformed: card('4242424242424241'),
  },
});

describePaymentProvider('the sandbox', async () => toContract(sandbox, scope, await createStore()));

describePaymentProvider('the sandbox in the spread form', async () =>
  toContract(
    createSandbox({ store: createSandboxStore(pool, () => true), randomBytes }),
    scope,
    await createStore(),
  ),
);

describe('cards that succeed', () => {
  it.each([
    ['4242424242424242', 'visa', '4242'],
    ['5555555555554444', 'mastercard', '4444'],
    ['378282246310005', 'amex', '0005'],
    ['6011111111111117', 'discover', '1117'],
    ['3056930009020004', 'diners', '0004'],
    ['3566002020360505', 'jcb', '0505'],
    ['6200000000000005', 'unionpay', '0005'],
  ])('%s is a %s', async (number, brand, last4) => {
    const outcome = await charge(card(number, { cvc: brand === 'amex' ? '1234' : '123' }));
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      cardCountry: 'US',
      method: {
        type: 'card',
        brand,
        last4,
        card: { brand, last4, country: 'US', network: brand, wallet: null },
      },
    });
  });

  it('shows the wallet with other last digits than the card, on a later charge too', async () => {
    const outcome = await charge(card('4242424242424242', { wallet: 'apple_pay', cvc: null }));
    const wallet = { type: 'apple_pay', dynamicLast4: expect.stringMatching(/^(?!4242)\d{4}$/) };
    expect(outcome).toMatchObject({ kind: 'succeeded', method: { last4: '4242', card: { wallet } } });
    const reference = outcome.kind === 'succeeded' ? outcome.storedReference : null;
    expect(await charge({ kind: 'stored', reference: reference ?? '' }, { offSession: true })).toMatchObject({
      kind: 'succeeded',
      method: { card: { wallet } },
    });
  });

  it.each([
    [10_000n, 290n],
    [50n, 1n],
    [500n, 15n],
    [17n, 0n],
    [0n, 0n],
    [9_007_199_254_740_991n, 261_208_778_387_489n],
  ])('of %s the fee is 2.9 %, rounded half away from zero: %s', async (amountMinor, feeMinor) => {
    expect(await charge(card('4242424242424242'), { amountMinor })).toMatchObject({ feeMinor });
  });
});

describe('cards that are declined', () => {
  it.each([
    ['4000000000000002', 'soft', 'card_declined'],
    ['4000000000009995', 'soft', 'insufficient_funds'],
    ['4000000000000127', 'soft', 'incorrect_cvc'],
    ['4000000000009987', 'hard', 'lost_card'],
    ['4000000000000069', 'hard', 'expired_card'],
  ])('%s is a %s decline: %s', async (number, decline, reason) => {
    const expected = { kind: 'declined', decline, reason, method: { last4: number.slice(-4) } };
    expect(await charge(card(number))).toMatchObject(expected);
    expect(await charge(stored(number), { offSession: true })).toMatchObject(expected);
    expect(await charge(card(number), { amountMinor: 0n })).toMatchObject(expected);
  });

  it('keeps nothing of a card that is none of its own', async () => {
    const { request, outcome, at } = await start(card('4111111111111111'));
    expect(outcome).toMatchObject({
      kind: 'declined',
      processorId: null,
      reason: 'test_card_required',
      message: expect.stringContaining('sandbox card'),
      method: { last4: null },
    });
    expect(await sandbox.lookUp(at(0))).toEqual({ kind: 'absent' });
    expect(await readBooks(request.chargeId)).toBeUndefined();
  });

  it.each(['card_4111111111111111', 'card_visa:cash', 'cus_42', 'card_'])(
    'declines the stored reference %s',
    async (reference) => {
      expect(await charge({ kind: 'stored', reference })).toMatchObject({
        kind: 'declined',
        decline: 'hard',
        reason: 'unknown_payment_method',
      });
      expect(sandbox.describeReference(reference)).toBeNull();
    },
  );
});

describe('card details', () => {
  it.each<[ChargeMethod, string]>([
    [card('4242424242424241'), 'number'],
    [card('not a card'), 'number'],
    [card('4242424242424242', { expiry: '02/26' }), 'expiry'],
    [card('4242424242424242', { expiry: '13/35' }), 'expiry'],
    [card('4242424242424242', { expiry: '' }), 'expiry'],
    [card('4242424242424242', { cvc: '' }), 'cvc'],
    [card('4242424242424242', { cvc: '1234' }), 'cvc'],
    [card('378282246310005', { cvc: '123' }), 'cvc'],
  ])('of %j are invalid: %s', async (method, field) => {
    expect(await charge(method)).toMatchObject({ kind: 'invalid', field });
  });

  it.each<[string, string]>([
    ['4242 4242 4242 4242', '12/35'],
    ['4242424242424242', '1235'],
    ['4242-4242-4242-4242', '12 / 2035'],
    ['4242424242424242', '03/26'],
  ])('%s with %s can be charged', async (number, expiry) => {
    expect(await charge(card(number, { expiry }))).toMatchObject({ kind: 'succeeded' });
  });

  it('of a stored card never expire', async () => {
    const nowMs = Date.UTC(2090, 0, 1);
    expect(await charge(stored('4242424242424242'), { offSession: true, nowMs })).toMatchObject({
      kind: 'succeeded',
    });
  });

  it('are stored nowhere, for no card of the table', async () => {
    for (const { number, brand } of SANDBOX_CARDS) {
      await charge(card(number, { cvc: brand === 'amex' ? '1234' : '123' }));
      await charge(stored(number), { offSession: true });
    }
    const { rows } = await pool.query('select * from sandbox_charges');
    const books = JSON.stringify(rows);
    for (const { number } of SANDBOX_CARDS) expect(books).not.toContain(number);
  });

  it('are described for a reference that a merchant brings along', () => {
    expect(sandbox.describeReference('card_5555555555554444')).toMatchObject({
      brand: 'mastercard',
      last4: '4444',
    });
  });
});

describe('cards that authenticate', () => {
  it('3155 succeeds once approved, and a second answer changes nothing', async () => {
    const { outcome, request, at } = await start(card('4000002500003155'));
    expect(outcome).toMatchObject({
      kind: 'needs_action',
      action: { url: expect.stringMatching(/^\/sandbox\/authenticate\/[0-9A-Za-z]{22}\.[\w-]{32}$/) },
    });
    const { url: actionPath } = (outcome as unknown as { action: { url: string } }).action;
    expect(actionPath).not.toContain(request.chargeId);
    expect(await sandbox.findByAction(actionPath.split('/').at(-1) ?? '')).toEqual({
      scope: request.scope,
      chargeId: request.chargeId,
    });
    expect(await sandbox.findByAction(request.chargeId)).toBeUndefined();
    expect(await sandbox.lookUp(at(DAY_MS))).toEqual(outcome);
    const approved = await sandbox.authenticate({ ...at(MINUTE_MS), approve: true });
    expect(approved).toMatchObject({ kind: 'succeeded', feeMinor: 29n });
    expect(await sandbox.authenticate({ ...at(MINUTE_MS), approve: false })).toEqual(approved);
    expect(await sandbox.lookUp(at(MINUTE_MS))).toEqual(approved);
    expect(await sandbox.charge(request)).toEqual(approved);
  });

  it('1629 is declined once approved', async () => {
    const { at } = await start(card('4000008400001629'));
    expect(await sandbox.authenticate({ ...at(0), approve: true })).toMatchObject({
      kind: 'declined',
      decline: 'soft',
      reason: 'card_declined',
    });
  });

  it.each(['4000002500003155', '4000008400001629'])('%s is declined when not approved', async (number) => {
    const { at } = await start(card(number));
    expect(await sandbox.authenticate({ ...at(0), approve: false })).toMatchObject({
      kind: 'declined',
      decline: 'soft',
      reason: 'authentication_failed',
    });
  });

  it('gives approval and cancel at the same moment one winner', async () => {
    const { at } = await start(card('4000002500003155'));
    const [answer, cancelled] = await Promise.all([
      sandbox.authenticate({ ...at(0), approve: true }),
      sandbox.cancel(at(0)),
    ]);
    const paid = answer.kind === 'succeeded';
    expect(cancelled.kind).toBe(paid ? 'taken' : 'cancelled');
    expect((await sandbox.lookUp(at(0))).kind).toBe(paid ? 'succeeded' : 'declined');
  });

  it('finds nothing to authenticate of a charge it does not know', async () => {
    const unknown = { scope, chargeId: randomUUID(), nowMs: NOW_MS, approve: true };
    expect(await sandbox.authenticate(unknown)).toEqual({ kind: 'absent' });
  });

  it('3155 as stored method asks this customer once, and is then charged off-session', async () => {
    const customerReference = randomUUID();
    const first = await start(stored('4000002500003155'), { customerReference, offSession: true });
    expect(first.outcome).toMatchObject({ kind: 'needs_action' });
    await sandbox.authenticate({ ...first.at(0), approve: true });
    const renew = (customer: string, offSession: boolean) =>
      charge(stored('4000002500003155'), { customerReference: customer, offSession });
    expect(await renew(customerReference, true)).toMatchObject({ kind: 'succeeded' });
    expect(await renew(customerReference, false)).toMatchObject({ kind: 'needs_action' });
    expect(await renew(randomUUID(), true)).toMatchObject({ kind: 'needs_action' });
  });
});

describe('card 0341', () => {
  const number = '4000000000000341';

  it('pays once as a stored method and is a soft decline from then on', async () => {
    const customerReference = randomUUID();
    const request = toRequest(stored(number), { customerReference, offSession: true });
    const first = await sandbox.charge(request);
    expect(first).toMatchObject({ kind: 'succeeded' });
    expect(await charge(stored(number), { customerReference, offSession: true })).toMatchObject({
      kind: 'declined',
      decline: 'soft',
      reason: 'card_declined',
    });
    expect(await sandbox.charge(request)).toEqual(first);
    expect(await charge(stored(number), { offSession: true })).toMatchObject({ kind: 'succeeded' });
  });

  it('succeeds each time it is typed in, and is declined when it renews what was so paid', async () => {
    const customerReference = randomUUID();
    const outcome = await charge(card(number), { customerReference });
    const reference = outcome.kind === 'succeeded' ? (outcome.storedReference ?? '') : '';
    const renewal = await charge({ kind: 'stored', reference }, { customerReference, offSession: true });
    expect(renewal).toMatchObject({ kind: 'declined', decline: 'soft' });
    expect(await charge(card(number), { customerReference })).toMatchObject({ kind: 'succeeded' });
  });

  it('has not paid yet when it was only taken at 0', async () => {
    const customerReference = randomUUID();
    await charge(card(number), { customerReference, amountMinor: 0n });
    expect(await charge(stored(number), { customerReference, offSession: true })).toMatchObject({
      kind: 'succeeded',
    });
  });
});

describe('card 0119', () => {
  it('is unknown for two minutes and then succeeds', async () => {
    const { outcome, request, at } = await start(card('4000000000000119'));
    const unknown = { kind: 'unknown', lookAgainAtMs: NOW_MS + 2 * MINUTE_MS };
    expect(outcome).toEqual(unknown);
    expect(await sandbox.lookUp(at(2 * MINUTE_MS - 1))).toEqual(unknown);
    expect(await sandbox.cancel(at(MINUTE_MS))).toEqual({ kind: 'unknown' });
    const settled = await sandbox.lookUp(at(2 * MINUTE_MS));
    expect(settled).toMatchObject({ kind: 'succeeded', feeMinor: 29n });
    expect(await sandbox.charge({ ...request, nowMs: NOW_MS + DAY_MS })).toEqual(settled);
  });

  it('tells a cancel after the two minutes that the money was taken', async () => {
    const { at } = await start(card('4000000000000119'));
    expect(await sandbox.cancel(at(2 * MINUTE_MS))).toMatchObject({
      kind: 'taken',
      outcome: { kind: 'succeeded' },
    });
  });
});

describe('card 0259', () => {
  it('is disputed from a day later on, and lost a week after that', async () => {
    const { request, at } = await start(card('4000000000000259'));
    const processorId = `sbx_dp_${request.chargeId}`;
    const looks = [0, DAY_MS - 1, DAY_MS, 8 * DAY_MS - 1, 8 * DAY_MS, 90 * DAY_MS];
    const found = await Promise.all(looks.map((afterMs) => sandbox.lookUpDisputes(at(afterMs))));
    const [awaited, open, lost] = [
      { disputes: [], lookAgainAtMs: NOW_MS + DAY_MS },
      { disputes: [{ stage: 'open', processorId }], lookAgainAtMs: NOW_MS + 8 * DAY_MS },
      { disputes: [{ stage: 'lost', processorId }], lookAgainAtMs: null },
    ];
    expect(found).toMatchObject([awaited, awaited, open, open, lost, lost]);
  });

  it('succeeds and is to be disputed a day later, unless nothing was charged', async () => {
    const paid = await start(card('4000000000000259'));
    expect(paid.outcome).toMatchObject({ kind: 'succeeded' });
    expect(await readBooks(paid.request.chargeId)).toMatchObject({ dispute_at: String(NOW_MS + DAY_MS) });
    const taken = await start(card('4000000000000259'), { amountMinor: 0n });
    expect(await readBooks(taken.request.chargeId)).toMatchObject({ dispute_at: null });
  });
});

describe('bank transfers', () => {
  const bankTransfer: ChargeMethod = { kind: 'transfer' };

  it('are pending for two days and then succeed', async () => {
    const { outcome, at } = await start(bankTransfer);
    const method = { type: 'bank_transfer', brand: null, last4: null, card: null };
    expect(outcome).toMatchObject({ kind: 'pending', method, lookAgainAtMs: NOW_MS + 2 * DAY_MS });
    expect(await sandbox.lookUp(at(2 * DAY_MS - 1))).toEqual(outcome);
    expect(await sandbox.lookUp(at(2 * DAY_MS))).toMatchObject({
      kind: 'succeeded',
      method,
      feeMinor: 29n,
      storedReference: null,
      cardCountry: null,
    });
  });

  it('can be cancelled until they succeed', async () => {
    const early = await start(bankTransfer);
    expect(await sandbox.cancel(early.at(2 * DAY_MS - 1))).toEqual({ kind: 'cancelled' });
    expect(await sandbox.lookUp(early.at(3 * DAY_MS))).toMatchObject({
      kind: 'declined',
      reason: 'canceled',
    });
    const late = await start(bankTransfer);
    expect(await sandbox.cancel(late.at(2 * DAY_MS))).toMatchObject({ kind: 'taken' });
  });

  it('of nothing succeed at once', async () => {
    expect(await charge(bankTransfer, { amountMinor: 0n })).toMatchObject({
      kind: 'succeeded',
      feeMinor: 0n,
    });
  });
});

describe('the books', () => {
  it('crash on a known id with another amount rather than answer for the wrong money', async () => {
    const { request } = await start(card('4242424242424242'));
    await expect(sandbox.charge({ ...request, amountMinor: 1001n })).rejects.toThrow('same amount');
    const { chargeId } = request;
    const named = { scope, chargeId, processorId: null, refundId: randomUUID() };
    const refund = { ...named, currency: 'EUR', nowMs: NOW_MS };
    await sandbox.refund({ ...refund, amountMinor: 10n });
    await expect(sandbox.refund({ ...refund, amountMinor: 11n })).rejects.toThrow('same charge and amount');
  });

  it('read the same through the pool of the service, which parses money and times', async () => {
    const service = openDatabase({
      ...database.poolConfig,
      maxConnections: 1,
      acquireTimeoutMs: 5000,
      statementTimeoutMs: 5000,
    });
    try {
      const { outcome, at } = await start({ kind: 'transfer' }, { amountMinor: 9_007_199_254_740_991n });
      const other = createSandbox({ store: createSandboxStore(service.pool), randomBytes });
      expect(await other.lookUp(at(0))).toEqual(outcome);
      expect(await other.lookUp(at(2 * DAY_MS))).toEqual(await sandbox.lookUp(at(2 * DAY_MS)));
    } finally {
      await service.close();
    }
  });

  it('go with the store they belong to', async () => {
    const other = await createStore();
    const request = toRequest(card('4242424242424242'), { scope: other });
    await sandbox.charge(request);
    await sandbox.refund({ ...request, refundId: randomUUID(), amountMinor: 1n });
    await pool.query('delete from stores where workspace_id = $1', [other.workspaceId]);
    expect(await readBooks(request.chargeId)).toBeUndefined();
  });
});
