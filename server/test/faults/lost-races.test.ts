import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
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
});
afterAll(() => app.close());

async function losingRaces(table: string, work: () => Promise<unknown>): Promise<void> {
  await sql`create trigger lose_race before insert on ${sql.table(table)}
    for each row execute function lose_race()`.execute(app.service.db);
  try {
    await work();
  } finally {
    await sql`drop trigger lose_race on ${sql.table(table)}`.execute(app.service.db);
  }
}

describe('a write that loses to a deadlock or a serialization failure', () => {
  it.each([
    ['discounts', 'a write of one transaction'],
    ['refunds', 'the first transaction of a refund'],
    ['events', 'the settling one of a refund'],
    ['invoices', 'the last lock of a refund'],
  ])('is tried again and never a 500: %s, %s', async (table, _what) => {
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
