/** After a run through everything that knows a secret, none is found in what leaves the service or is kept for people. */
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, card, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

const PASSWORD = 'Correct-Horse-9-Battery';
const WEBHOOK_SECRET = 'whsec_c2VjcmV0LW9mLWEtd2ViaG9vay10aGF0LW5vYm9keS1zZWVz';
const CARDS = ['4242424242424242', '4000000000000002', '4000002500003155', '5555555555554444'];
/** Where people look or that is sent to others; the tables of keys and webhooks hold what they are for. */
const SHOWN_TABLES = [
  'events',
  'audit_log',
  'mails',
  'webhook_attempts',
  'charges',
  'payments',
  'orders',
  'due_work',
  'users',
  'payment_methods',
  'subscriptions',
  'checkout_sessions',
  'idempotency_keys',
  'sandbox_charges',
];

let app: TestApp;
let logged = '';
beforeAll(async () => {
  const log = pino(
    { level: 'trace' },
    {
      write: (line: string) => {
        logged += line;
      },
    },
  );
  app = await createTestApp({ LOG_LEVEL: 'trace' }, log);
});
afterAll(() => app.close());

/** Uses every secret once, rightly and wrongly. Answers what the refusals said. */
async function liveThrough(): Promise<string> {
  const { test } = app;
  const refusals: string[] = [];
  const note = (answer: { text: string; status: number }) => {
    if (answer.status >= 400) refusals.push(answer.text);
  };
  await test.post('/v0/webhooks/create', {
    url: 'https://example.com/hook',
    events: ['payment_success'],
    secret: WEBHOOK_SECRET,
  });
  const user = { email: 'keeps@example.com', password: PASSWORD, billingDetails: { countryCode: 'DE' } };
  note(await test.post('/v0/users/create', user));
  note(await test.post('/v0/users/create', user));
  note(await test.post('/v0/users/create', { ...user, email: 'none' }));
  note(await test.get('/v0/orders/list', { keys: { ...test.keys, secretKey: `${test.keys.secretKey}x` } }));
  const offerId = await makeOffer(test);
  const planId = await makePlanOffer(test);
  for (const number of CARDS) {
    note(await buy(test, { offersIds: [offerId], card: number }));
    note(
      await (await openPage(app, `/checkout/${offerId}`)).submit({ card: { ...card(number), cvc: 'xyz' } }),
    );
  }
  await buy(test, { offersIds: [planId], card: CARDS[0] });
  const declining = { sandboxCustomerId: 'card_4000000000000341' };
  const keyed = { headers: { 'idempotency-key': 'gives-a-card' } };
  const two = { ...user, email: 'two@example.com', paymentData: declining };
  for (let times = 0; times < 2; times += 1) {
    const made = await test.post('/v0/users/create', two, keyed);
    expect(made.body.data.user.paymentData.sandboxCustomerId).toBe('card_visa_0341');
    const { id } = made.body.data.user;
    await test.patch(`/v0/users/${id}/update`, { paymentData: { sandboxCustomerId: `card_${CARDS[3]}` } });
  }
  await advance(app, test.scope, 40 * DAY_MS);
  return refusals.join('\n');
}

async function readShown(): Promise<string> {
  const parts: string[] = [];
  for (const table of SHOWN_TABLES) {
    const { rows } = await sql<{
      text: string;
    }>`select to_jsonb(t)::text as text from ${sql.table(table)} t`.execute(app.service.db);
    parts.push(...rows.map(({ text }) => text));
  }
  return parts.join('\n');
}

/** Digits that could be the number of a card: 13 to 19 of them with a right check digit, from a card's ranges. */
function findCardNumbers(text: string): string[] {
  const runs = text.match(/(?<![\w.-])[3-6]\d{12,18}(?![\w-])/g) ?? [];
  return runs.filter((digits) => {
    const sum = [...digits].reverse().reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  });
}

it('T40 keeps keys, passwords, secrets and card numbers out of logs, refusals, events, audit rows and mails', async () => {
  const refusals = await liveThrough();
  const shown = await readShown();
  expect(refusals).not.toBe('');
  expect(shown).toContain('payment_success');
  expect(logged).not.toBe('');
  const secrets = [PASSWORD, WEBHOOK_SECRET, app.test.keys.secretKey, app.live.keys.secretKey, ...CARDS];
  for (const [where, text] of Object.entries({ refusals, shown, logged })) {
    for (const secret of secrets)
      expect(text.includes(secret), `${secret.slice(0, 8)}… in ${where}`).toBe(false);
    expect(findCardNumbers(text), where).toEqual([]);
  }
});
