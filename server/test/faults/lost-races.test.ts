import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, findAuthentication } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

const WRITES = 12;

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
  // A sequence keeps counting over rollbacks: two of three inserts lose their race.
  await sql`create sequence lost_races`.execute(app.service.db);
  await sql`
    create function lose_race() returns trigger language plpgsql as $$
    begin
      case nextval('lost_races') % 3
        when 1 then raise exception 'deadlock detected' using errcode = '40P01';
        when 2 then raise exception 'could not serialize access' using errcode = '40001';
        else return new;
      end case;
    end $$`.execute(app.service.db);
  await sql`
    create function give_up() returns trigger language plpgsql as $$
    begin
      raise exception 'given up' using errcode = tg_argv[0];
    end $$`.execute(app.service.db);
});
afterAll(() => app.close());

const losingRaces = (table: string, work: () => Promise<unknown>) =>
  failing({ table, call: 'lose_race()' }, work);

/** Every insert into a table fails at `call`, a trigger's function, while `work` runs. */
async function failing<T>(
  { table, call }: { table: string; call: string },
  work: () => Promise<T>,
): Promise<T> {
  await sql`create trigger failing before insert on ${sql.table(table)}
    for each row execute function ${sql.raw(call)}`.execute(app.service.db);
  try {
    return await work();
  } finally {
    await sql`drop trigger failing on ${sql.table(table)}`.execute(app.service.db);
  }
}

describe('a write that loses to a deadlock or a serialization failure', () => {
  it.each([
    ['discounts', 'a write of one transaction'],
    ['refunds', 'the first transaction of a refund'],
    ['events', 'the settling one of a refund'],
    ['invoices', 'the last lock of a refund'],
  ])('T48 is tried again and never a 500: %s, %s', async (table, _what) => {
    const orders = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const { body } = await buy(app.test, { offersIds: [offerId], userEmail: `race${i}@example.com` });
        return String(body.data.order.id);
      }),
    );
    const statuses: number[] = [];
    await losingRaces(table, async () => {
      // One after the other: the sequence then lets each third try through.
      for (let i = 0; i < WRITES; i += 1) {
        const answer =
          table === 'discounts'
            ? await app.test.post('/v0/discounts/create', {
                type: 'sale',
                amount: 1,
                amountType: 'percentage',
              })
            : await app.test.post(
                `/v0/orders/${orders[i % orders.length]}/refunds`,
                { amount: 1 },
                {
                  headers: { 'idempotency-key': randomUUID() },
                },
              );
        statuses.push(answer.status);
      }
    });
    expect(statuses).toEqual(Array.from({ length: WRITES }, () => 200));
    await expectInvariants(app);
  });
});

describe('what the store has given up and rolled back', () => {
  const GIVEN_UP = [
    ['57014', 'unavailable', 'a statement that ran until its limit'],
    ['55P03', 'store_busy', 'a lock that was waited for until its limit'],
    ['25P03', 'unavailable', 'a transaction that stood still'],
    ['40P01', 'unavailable', 'a deadlock, again and again'],
    ['40001', 'unavailable', 'a serialization failure, again and again'],
  ];

  it.each(GIVEN_UP)(
    'T48 is 503 with the time to wait, and no bug of ours: %s, %s, %s',
    async (code, word) => {
      const create = () =>
        app.test.post('/v0/discounts/create', { type: 'sale', amount: 1, amountType: 'percentage' });
      const answer = await failing({ table: 'discounts', call: `give_up('${code}')` }, create);
      expect(answer.status).toBe(503);
      expect(answer.body.error.code).toBe(word);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect((await create()).status).toBe(200);
    },
  );

  it('leaves an idempotency key free for the next try', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const purchase = () => buy(app.test, { offersIds: [offerId] }, headers);
    const answer = await failing({ table: 'orders', call: "give_up('57014')" }, purchase);
    expect(answer.status).toBe(503);
    const next = await purchase();
    expect([next.status, next.headers['idempotent-replayed']]).toEqual([200, undefined]);
  });

  it('is told to a buyer by a page with the same status', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], card: '4000002500003155' });
    const url = await findAuthentication(app, body.data.payment.charges[0].id);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const approve = () => app.app.inject({ method: 'POST', url, headers, payload: 'result=approve' });
    const page = await failing({ table: 'events', call: "give_up('57014')" }, approve);
    expect(page.statusCode).toBe(503);
    expect(page.headers['content-type']).toContain('text/html');
    expect(Number(page.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await approve()).statusCode).toBe(303);
  });

  it('is told apart from a request that a page cannot read', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url: `/sandbox/authenticate/${randomUUID()}`,
      headers: { 'content-type': 'text/csv' },
      payload: 'result,approve',
    });
    expect(answer.statusCode).toBe(415);
  });
});
