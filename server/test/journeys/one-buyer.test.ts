import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { findOrInsertBuyer } from '../../src/resources/users/users.queries.ts';
import { authenticate, buy, card, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

const LOCK_NOT_AVAILABLE = '55P03';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

/** Whether a row could be locked at this moment, in the strength that `lock` names. */
async function isFree(table: string, id: string, lock: string): Promise<boolean> {
  try {
    await app.service.pool.query(`select from ${table} where id = $1 for ${lock} nowait`, [id]);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Keeps a row locked, as another buyer would, while `work` runs. */
async function whileLocked(table: string, id: string, work: () => Promise<void>): Promise<void> {
  const other = await app.service.pool.connect();
  try {
    await other.query('begin');
    await other.query(`select from ${table} where id = $1 for no key update`, [id]);
    await work();
  } finally {
    await other.query('rollback');
    other.release();
  }
}

describe('the locks of a purchase', () => {
  it('let others of the same buyer be written: what refers to a user does not wait for their new order', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail: 'same@example.com' });
    const { userId } = body.data.order;
    await inTransaction(app.service.db, async (tx) => {
      const buyer = { id: userId, email: 'same@example.com', createdAt: 0 };
      await findOrInsertBuyer(tx, app.test.scope, buyer);
      expect(await isFree('users', userId, 'key share')).toBe(true);
      expect(await isFree('users', userId, 'no key update')).toBe(false);
    });
  });

  it('are taken in one order: a buyer, whom it gives details, before the offers', async () => {
    const userEmail = 'moved@example.com';
    const { body } = await app.test.post('/v0/users/create', { email: userEmail });
    const { id: userId } = body.data.user;
    let purchase: ReturnType<typeof buy> | undefined;
    await whileLocked('offers', offerId, async () => {
      const billingDetails = { countryCode: 'FR' };
      purchase = buy(app.test, { offersIds: [offerId], userEmail, billingDetails });
      // Its order is placed and charged: what waits is the transaction that marks it PAID.
      await expect
        .poll(
          async () => {
            const { rows } = await app.service.pool.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like 'update "offers"%'`,
            );
            return rows.length;
          },
          { interval: 20 },
        )
        .toBe(1);
      expect(await isFree('users', userId, 'no key update')).toBe(false);
    });
    expect((await purchase)?.body.data.order.status).toBe('PAID');
  });

  it('leave out the session where nothing of it changes: another press, which waits for the order, may hold it', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { body } = await page.submit({ card: card('4000002500003155') });
    const { action } = body.data.checkout;
    const { id } = await app.service.db
      .selectFrom('checkoutSessions')
      .select('id')
      .where('token', '=', page.token)
      .executeTakeFirstOrThrow();
    await whileLocked('checkout_sessions', id, async () => {
      const { status } = await authenticate(app, action.url, 'approve');
      expect(status).toBe(303);
    });
    expect((await page.show()).body.data.checkout.status).toBe('paid');
    await expectInvariants(app);
  });
});
