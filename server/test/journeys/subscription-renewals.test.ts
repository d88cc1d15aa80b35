import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listTaken } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, listSteps, subscribe } from '../support/subscribing.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a monthly subscription', () => {
  it('is charged once for each period of a year, and each period begins where the one before ends', async () => {
    const subscription = await subscribe(app, await makePlanOffer(app.test, { price: 1000 }));
    await advance(app, app.test.scope, 366 * DAY_MS);
    const periods = await listPeriods(app, subscription);
    expect(periods.map(({ status }) => status)).toEqual(Array(12).fill('PAID'));
    for (const [index, period] of periods.entries()) {
      expect(period.createdAt).toBe(period.periodStart);
      expect(period.periodStart).toBe(index === 0 ? period.periodStart : periods[index - 1]?.periodEnd);
    }
    const taken = await listTaken(app);
    expect(taken).toHaveLength(13);
    const steps = await listSteps(app, subscription);
    expect(steps.slice(3)).toEqual(
      Array(12).fill(['payment_success active', 'subscription_interval active']).flat(),
    );
  });
});

it('leaves nothing broken that must always hold', () => expectInvariants(app));
