import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let vies: Receiver;
let offerId: string;

beforeAll(async () => {
  vies = await createReceiver();
  app = await createTestApp({ VIES_URL: vies.url, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  offerId = await makeOffer(app.test);
  const answer = await app.test.patch('/v0/settings/update', { taxNumberCheck: 'vies' });
  expect(answer.status, answer.text).toBe(200);
});
beforeEach(() => vies.reset());
afterAll(async () => {
  await app.close();
  await vies.close();
});

const company = (countryCode: string, taxNumber: string) => ({
  type: 'company',
  companyName: 'ACME',
  countryCode,
  taxNumber,
});

const say = (valid: boolean, requestIdentifier = '') => ({
  status: 200,
  body: JSON.stringify({ valid, requestIdentifier }),
});

async function purchase(countryCode: string, taxNumber: string) {
  const answer = await buy(app.test, {
    offersIds: [offerId],
    billingDetails: company(countryCode, taxNumber),
  });
  expect(answer.status, answer.text).toBe(200);
  const { id, tax } = answer.body.data.order;
  const { taxDecision } = await app.service.db
    .selectFrom('orders')
    .select('taxDecision')
    .where(inScope(app.test.scope))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { tax, taxDecision };
}

describe('taxNumberCheck vies', () => {
  it('waives the tax of a company that VIES confirms, and keeps its answer and the time with the order', async () => {
    vies.script(say(true, 'WAPI1'));
    const beforeMs = app.service.realNowMs();
    const { tax, taxDecision } = await purchase('FR', 'FR40303265045');
    expect(tax).toBe(0);
    expect(taxDecision).toMatchObject({
      reason: 'reverse_charge',
      taxNumberValid: true,
      taxNumberAnswer: { register: 'vies', number: 'FR40303265045', outcome: 'valid', reference: 'WAPI1' },
    });
    const { askedAt } = (taxDecision as { taxNumberAnswer: { askedAt: number } }).taxNumberAnswer;
    expect(askedAt).toBeGreaterThanOrEqual(beforeMs);
    // The quote, the submit and the payment are one question.
    expect(vies.requests).toHaveLength(1);
  });

  it('takes tax where VIES says no', async () => {
    vies.script(say(false));
    expect(await purchase('AT', 'ATU13585627')).toMatchObject({
      taxDecision: { reason: 'standard', taxNumberValid: false, taxNumberAnswer: { outcome: 'invalid' } },
    });
  });

  it('takes tax where VIES has no answer, and sells all the same', async () => {
    vies.script({ status: 500, body: '{"errorWrappers":[{"error":"MS_UNAVAILABLE"}]}' });
    expect(await purchase('PL', 'PL8567346215')).toMatchObject({
      taxDecision: {
        reason: 'standard',
        taxNumberValid: false,
        taxNumberAnswer: { outcome: 'no_answer', detail: 'MS_UNAVAILABLE' },
      },
    });
  });

  it.each([
    ['a number whose check digit is wrong', 'FR', 'FR40303265046', 'standard'],
    ['a number that VIES cannot know', 'AU', '51824753556', 'reverse_charge'],
  ])('does not ask about %s', async (_name, country, number, reason) => {
    expect(await purchase(country, number)).toMatchObject({ taxDecision: { reason, taxNumberAnswer: null } });
    expect(vies.requests).toHaveLength(0);
  });

  it('asks before a renewal, outside of its transaction, and keeps what was said with the payment', async () => {
    vies.script(say(true), say(true, 'WAPI2'));
    const subscription = await subscribe(app, await makePlanOffer(app.test, { price: 1000 }), {
      billingDetails: company('SK', 'SK2022749619'),
    });
    const moved = await app.test.patch(`/v0/users/${subscription.userId}/update`, {
      billingDetails: company('LU', 'LU15027442'),
    });
    expect(moved.status, moved.text).toBe(200);
    expect(vies.requests).toHaveLength(1);
    await advance(app, app.test.scope, 31 * DAY_MS);
    expect(vies.requests).toHaveLength(2);
    const renewal = await app.service.db
      .selectFrom('payments')
      .select(['status', 'tax', 'taxDecision'])
      .where(inScope(app.test.scope))
      .where('subscriptionId', '=', subscription.id)
      .where('type', '=', 'subscription_interval')
      .executeTakeFirstOrThrow();
    expect(renewal).toMatchObject({ status: 'PAID', tax: 0n });
    expect(renewal.taxDecision).toMatchObject({
      reason: 'reverse_charge',
      taxNumberAnswer: { number: 'LU15027442', outcome: 'valid', reference: 'WAPI2' },
    });
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
