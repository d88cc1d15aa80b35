/** A shop over Stripe's stand-in, and what may become of it: by itself, by its buyers, by their banks, by the network. */
import { expect } from 'vitest';
import { buy } from './buying.ts';
import { advance, DAY_MS } from './clock.ts';
import { expectInvariants } from './expect-invariants.ts';
import { makeOffer, makePlanOffer } from './make-catalogue.ts';
import { LOST_ANSWERS } from './processor-double.ts';
import type { Random } from './random.ts';
import { openStripeApp } from './stripe-app.ts';

const HOUR_MS = 3_600_000;
const FAULTS: readonly object[] = [
  ...LOST_ANSWERS,
  { status: 409, code: 'idempotency_key_in_use' },
  { status: 429, code: 'lock_timeout' },
];
const METHODS = ['pm_card_visa', 'pm_card_mastercard', 'pm_card_chargeCustomerFail'] as const;
const STAGES = ['inquiry', 'open', 'won', 'lost', 'none'] as const;

interface Sums {
  taken: number;
  refunded: number;
  disputed: number;
  currency: string;
}

export interface StripeLife {
  /** What happened, for whoever reads a failure. */
  said: string[];
  buy(random: Random): Promise<void>;
  refund(random: Random): Promise<void>;
  /** In Stripe's dashboard. */
  refundElsewhere(random: Random): Promise<void>;
  /** The bank sends a refund back. */
  returnRefund(random: Random): Promise<void>;
  dispute(random: Random): Promise<void>;
  changeCard(random: Random): Promise<void>;
  cancel(random: Random): Promise<void>;
  disturb(random: Random): Promise<void>;
  heal(): Promise<void>;
  readEvents(): Promise<void>;
  /** Payouts are made, and money is there. */
  passRealDay(): Promise<void>;
  /** Of the store's clock: renewals, dunning, looks. */
  passTime(random: Random): Promise<void>;
  /** Healed, told and looked at, until nothing is under way. */
  settle(): Promise<void>;
  compare(): Promise<string[]>;
  close(): Promise<void>;
}

export async function openStripeLife(seed: number): Promise<StripeLife> {
  let realAheadMs = 0;
  const nowMs = () => Date.now() + realAheadMs;
  const opened = await openStripeApp(
    { PROCESSOR_TIMEOUT_MS: '2000', PROCESSOR_SEND_WITHIN_MS: '4000', PROCESSOR_RATE: '0' },
    { realNowMs: nowMs },
    // In its own currency, or exchanged.
    { seed: String(seed), ...(seed % 2 === 0 ? { settledIn: { country: 'US', currency: 'usd' } } : {}) },
  );
  const { app, double, account, processorId } = opened;
  const said: string[] = [];
  const faults: string[] = [];
  const orders: string[] = [];
  const offers = [
    await makeOffer(app.test, { taxBehavior: 'inclusive' }),
    await makeOffer(app.test, { price: 2_500, taxBehavior: 'exclusive' }),
    await makePlanOffer(app.test, {
      ...{ taxBehavior: 'inclusive', price: 900, currency: 'EUR' },
    }),
  ];
  const query = async <Row>(text: string) => (await app.service.pool.query(text)).rows as Row[];
  const say = (what: string, answer: { status: number; body: { error?: { code: string } } }) => {
    said.push(`${what} → ${answer.status} ${answer.body.error?.code ?? ''}`);
    expect([what, answer.status === 500]).toEqual([what, false]);
  };
  const act = async (path: string, body: object) => {
    try {
      await double.control(`POST /objects/${path}`, body);
      said.push(`${path} ${JSON.stringify(body)}`);
    } catch (error) {
      // What cannot be done to it as it stands is not done.
      said.push(`${path} ${JSON.stringify(body)} not done: ${String(error).slice(0, 80)}`);
    }
  };
  const objectsOf = async (kind: 'charges' | 'refunds') =>
    (
      await query<{ id: string }>(
        `select processor_id as id from ${kind} where processor_id is not null order by created_at, id`,
      )
    ).map(({ id }) => id);

  /** Of what came back, for which no room is left here, the whole is given back once more: of a part a person says what it is. */
  const toElsewhere = async (object: string, sum: number): Promise<number> => {
    const rows = await query<{ charge: string; charged: string; amount: string }>(
      `select c.id as charge, c.amount::text as charged, r.amount::text as amount from charges c
       join refunds r on r.charge_id = c.id and r.status = 'succeeded' where c.processor_id = '${object}'`,
    );
    const [first] = rows;
    const given = rows.reduce((total, { amount }) => total + Number(amount), 0);
    if (!first || given + sum <= Number(first.charged)) return sum;
    const { charges } = await double.control<{ charges: Record<string, Sums> }>(
      `GET /books?account=${account.id}`,
    );
    const back = given - (charges[first.charge]?.refunded ?? 0);
    return rows.some(({ amount }) => Number(amount) === back) ? back : 0;
  };

  const readEvents = async () => {
    await app.service.books.readStore(app.test.scope, { anew: true }).catch((error: unknown) => {
      said.push(`events not read: ${String(error).slice(0, 80)}`);
    });
    await advance(app, app.test.scope, 1_000);
  };
  const heal = async () => {
    for (const id of faults.splice(0)) await double.control(`DELETE /faults/${id}`);
    said.push('healed');
  };
  const passRealDay = async () => {
    realAheadMs += DAY_MS;
    await double.control('POST /clock', { byMs: DAY_MS });
    said.push('a real day');
  };

  return {
    said,
    async buy(random) {
      const offerId = random.of(offers);
      const paymentMethod = random.of(METHODS);
      const userEmail = `buyer${random.below(6)}@example.com`;
      const answer = await buy(app.test, { offersIds: [offerId], processorId, paymentMethod, userEmail });
      say(`buy ${offers.indexOf(String(offerId))} ${paymentMethod}`, answer);
      if (answer.status === 200) orders.push(String(answer.body.data.order.id));
    },
    async refund(random) {
      const orderId = random.of(orders);
      if (!orderId) return;
      const whole = random.next() < 0.3;
      const body = whole ? {} : { amount: 100 * (1 + random.below(9)) };
      say(`refund ${JSON.stringify(body)}`, await app.test.post(`/v0/orders/${orderId}/refunds`, body));
    },
    async refundElsewhere(random) {
      const object = random.of(await objectsOf('charges'));
      const sum = 100 + random.below(500);
      const amount = object && (await toElsewhere(object, sum));
      if (!object || !amount) return;
      const answer = await fetch(`${double.apiUrl}/v1/refunds`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.secretKey}` },
        body: new URLSearchParams({ payment_intent: object, amount: String(amount) }),
      }).catch(() => null);
      said.push(`refund elsewhere of ${object} → ${answer?.status}`);
    },
    async returnRefund(random) {
      const id = random.of((await objectsOf('refunds')).filter((one) => one.startsWith('re_')));
      if (id) await act(`${id}/return`, {});
    },
    async dispute(random) {
      const object = random.of(await objectsOf('charges'));
      const stage = random.of(STAGES);
      const amount = random.next() < 0.3 ? { amount: 100 + random.below(400) } : {};
      if (object) await act(`${object}/dispute`, { stage, ...amount });
    },
    async changeCard(random) {
      const [method] = await query<{ id: string }>(
        `select split_part(reference, '/', 2) as id from payment_methods order by created_at, id offset ${random.below(4)} limit 1`,
      );
      if (method) await act(`${method.id}/update`, { card: { last4: '1881' } });
    },
    async cancel(random) {
      const rows = await query<{ id: string }>(
        'select number as id from subscriptions order by created_at, id',
      );
      const one = random.of(rows);
      if (one) say('cancel', await app.test.patch(`/v0/subscriptions/${one.id}/cancel`, {}));
    },
    async disturb(random) {
      const doing = random.of(FAULTS);
      const share = 0.1 + random.next() * 0.4;
      const made = await double.control<{ id: string }>('POST /faults', { match: { share }, do: doing });
      faults.push(made.id);
      said.push(`fault ${JSON.stringify(doing)} ${share.toFixed(2)}`);
    },
    heal,
    readEvents,
    passRealDay,
    async passTime(random) {
      const byMs = random.of([HOUR_MS, DAY_MS, 8 * DAY_MS, 31 * DAY_MS]) ?? HOUR_MS;
      // Each of the many looks of a week without answers would wait for the time of a call.
      if (byMs > DAY_MS) await heal();
      await advance(app, app.test.scope, byMs);
      said.push(`${byMs / HOUR_MS} h`);
    },
    async settle() {
      await heal();
      await app.test.post(`/v0/processors/${processorId}/check`, {});
      for (let day = 0; day < 3; day += 1) {
        await passRealDay();
        await readEvents();
        await advance(app, app.test.scope, DAY_MS);
      }
    },
    async compare() {
      const to = nowMs();
      const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, { from: 1, to });
      const wrong: string[] = [];
      const { counts } = body.data?.report ?? {};
      if (!counts) return [`no report: ${text}`];
      for (const name of ['missing_money', 'unknown_money', 'amount_differs'] as const)
        if (counts[name] > 0)
          wrong.push(`${name}: ${counts[name]} ${JSON.stringify(body.data.report.rows).slice(0, 600)}`);
      const { charges, balance } = await double.control<{
        charges: Record<string, Sums>;
        balance: Record<string, number>;
      }>(`GET /books?account=${account.id}`);
      const ours = await query<{ id: string; taken: string; refunded: string }>(
        `select c.id, case when c.status = 'succeeded' then c.amount else 0 end as taken,
          coalesce((select sum(r.amount) from refunds r where r.charge_id = c.id and r.status = 'succeeded'
            and (r.returned_at is null or r.return_settled_there) and r.reason <> 'dispute'), 0) as refunded
         from charges c where c.amount > 0`,
      );
      const mine = new Map(ours.map((row) => [row.id, row]));
      for (const [id, sums] of Object.entries(charges)) {
        const row = mine.get(id);
        if (Number(row?.taken ?? 0) !== sums.taken)
          wrong.push(`${id}: ${sums.taken} taken there, ${row?.taken ?? 'nothing'} here`);
        if (Number(row?.refunded ?? 0) !== sums.refunded)
          wrong.push(`${id}: ${sums.refunded} refunded there, ${row?.refunded ?? 'nothing'} here`);
      }
      const { balances } = (await app.test.get('/v0/ledger/balances')).body.data;
      for (const row of balances as Array<{ account: string; currency: string; balance: number }>)
        if (
          row.account === 'processor_clearing' &&
          row.balance !== (balance[row.currency.toLowerCase()] ?? 0)
        )
          wrong.push(
            `${row.currency}: ${row.balance} here, ${balance[row.currency.toLowerCase()] ?? 0} there`,
          );
      const pending = await query<{ kind: string; count: number }>(
        `select 'charge' as kind, count(*)::int as count from charges where status = 'pending'
         union all select 'refund', count(*)::int from refunds where status = 'pending'`,
      );
      for (const { kind, count } of pending) if (count > 0) wrong.push(`${count} ${kind}s are pending`);
      const { proof } = (await app.test.get('/v0/ledger/proof')).body.data;
      if (proof.differences.length > 0) wrong.push(`proof: ${JSON.stringify(proof.differences[0])}`);
      await expectInvariants(app);
      return wrong;
    },
    close: opened.close,
  };
}
