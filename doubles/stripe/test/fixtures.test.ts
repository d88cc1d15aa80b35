import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import { DIFFERENCES } from './fixture-differences.ts';
import { COMPARED, type Digest, findDifferences, readDigest, toDigest } from './support/digest.ts';
import { control, type Keys, openAccount, start, toClient } from './support/stand-in.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCE = process.env.PROCESSOR_FIXTURES ?? `${ROOT}../shared/processors/stripe-fixtures3.json`;
const digest = JSON.parse(readFileSync(new URL('fixtures.digest.json', import.meta.url), 'utf8')) as Record<
  string,
  Digest
>;

let double: Double;
let keys: Keys;
let stripe: Stripe;

beforeAll(async () => {
  double = await start();
  keys = await openAccount(double);
  stripe = toClient(double, keys.secretKey);
});
afterAll(() => double.close());

async function makeAll(): Promise<Record<string, unknown>> {
  const card = {
    allowed_payment_method_types: ['card'],
    confirm: true,
    payment_method: 'pm_card_createDispute',
  };
  const intent = await stripe.paymentIntents.create({ ...card, amount: 5000, currency: 'eur' });
  const online = { ip_address: '127.0.0.1', user_agent: 'fixtures' };
  const debit = await stripe.setupIntents.create({
    allowed_payment_method_types: ['sepa_debit'],
    confirm: true,
    payment_method: 'pm_success_de',
    mandate_data: { customer_acceptance: { type: 'online', online } },
  });
  const warned = await stripe.paymentIntents.create({
    ...card,
    payment_method: 'pm_card_createIssuerFraudRecord',
    amount: 900_000,
    currency: 'eur',
  });
  const refund = await stripe.refunds.create({ payment_intent: warned.id, amount: 100 });
  await control(double, 'POST /clock', { byMs: 4 * 86_400_000 });
  const charge = String(intent.latest_charge);
  return {
    account: await stripe.accounts.retrieveCurrent(),
    balance: await stripe.balance.retrieve(),
    balance_transaction: (await stripe.balanceTransactions.list({ type: 'charge' })).data[0],
    charge: await stripe.charges.retrieve(charge, { expand: ['refunds'] }),
    confirmation_token: await stripe.testHelpers.confirmationTokens.create({
      payment_method: 'pm_card_visa',
    }),
    customer: await stripe.customers.create(),
    dispute: (await stripe.disputes.list()).data[0],
    event: (await stripe.events.list()).data[0],
    mandate: await stripe.mandates.retrieve(String(debit.mandate)),
    payment_intent: await stripe.paymentIntents.retrieve(intent.id),
    payment_method: await stripe.paymentMethods.retrieve(String(intent.payment_method)),
    payment_method_configuration: (await stripe.paymentMethodConfigurations.list()).data[0],
    payment_method_domain: await stripe.paymentMethodDomains.create({ domain_name: 'example.com' }),
    payout: (await stripe.payouts.list()).data[0],
    'radar.early_fraud_warning': (await stripe.radar.earlyFraudWarnings.list()).data[0],
    refund,
    setup_intent: debit,
    webhook_endpoint: await stripe.webhookEndpoints.create({
      url: 'https://example.com/hook',
      enabled_events: ['*'],
    }),
  };
}

describe("P46 Stripe's published fixtures", () => {
  it('are answered with their keys and types, but for the list', async () => {
    const made = await makeAll();
    const found = COMPARED.flatMap((name) => findDifferences(toDigest(made[name]), digest[name] ?? {}, name));
    expect(found.sort()).toEqual([...DIFFERENCES].sort());
  });

  it('are the ones of the digest, where they are at hand', () => {
    if (!existsSync(SOURCE)) {
      console.log(`${SOURCE} is not here: compared with its digest alone`);
      return;
    }
    expect(readDigest(readFileSync(SOURCE, 'utf8'))).toEqual(digest);
  });
});
