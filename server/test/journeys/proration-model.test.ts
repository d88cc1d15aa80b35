/** Random lives of plans against a small model of the books, written apart from the code that bills. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { advance } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';

const PRICES = [499, 1000, 3333];
let app: TestApp;
const offers: string[] = [];

useShop(async (made) => {
  app = made;
  for (const price of PRICES) offers.push(await makePlanOffer(app.test, { price }));
});

interface Plan {
  offer: number;
  quantity: number;
}
type Step = { kind: 'change'; plan: Plan; share: number } | { kind: 'renew' };

const PLAN: fc.Arbitrary<Plan> = fc.record({
  offer: fc.nat({ max: PRICES.length - 1 }),
  quantity: fc.integer({ min: 1, max: 3 }),
});
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('change' as const), plan: PLAN, share: fc.nat({ max: 99 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renew' as const) }) },
);

const priceOf = ({ offer, quantity }: Plan) => (PRICES[offer] ?? 0) * quantity;
const withTax = (net: number) => net + Math.sign(net) * Math.round(Math.abs(net) * 0.19);
/** Whole numbers all the way: the share is in hundredths of the period, rounded to a millisecond. */
const restOf = (price: number, restMs: number, periodMs: number) =>
  Number((2n * BigInt(price) * BigInt(restMs) + BigInt(periodMs)) / (2n * BigInt(periodMs)));

/** What the model knows: the plan, what the running period is worth, and what waits. */
interface Books {
  plan: Plan;
  worth: number;
  waiting: number;
}

function change(books: Books, plan: Plan, restMs: number, periodMs: number): Books {
  if (books.plan.offer === plan.offer && books.plan.quantity === plan.quantity) return books;
  const credit = Math.min(withTax(restOf(priceOf(books.plan), restMs, periodMs)), Math.max(books.worth, 0));
  const net = withTax(restOf(priceOf(plan), restMs, periodMs)) - credit;
  return { plan, worth: books.worth + net, waiting: books.waiting + net };
}

/** The next payment, and what is left to wait. */
function renew({ plan, waiting }: Books): { paid: number; books: Books } {
  const full = withTax(priceOf(plan));
  const paid = Math.max(full + waiting, 0);
  return { paid, books: { plan, worth: full, waiting: full + waiting - paid } };
}

async function play(subscribed: Subscribed, first: Plan, steps: readonly Step[]): Promise<void> {
  let books: Books = { plan: first, worth: withTax(priceOf(first)), waiting: 0 };
  for (const step of steps) {
    const { currentIntervalStart: from, currentIntervalEnd: to } = await show(app, subscribed);
    const path = `/v0/subscriptions/${subscribed.number}`;
    if (step.kind === 'change') {
      const prorationDate = from + Math.floor(((to - from) * step.share) / 100);
      const { offer, quantity } = step.plan;
      const body = { offerId: offers[offer], quantity, prorationDate };
      const answer = await app.test.patch(`${path}/update`, body);
      expect(answer.status).toBe(200);
      books = change(books, step.plan, to - prorationDate, to - from);
    } else {
      const now = (await app.test.get('/v0/test-clock')).body.data.testClock.now;
      await advance(app, app.test.scope, to - now + 1);
      const next = renew(books);
      expect((await show(app, subscribed)).lastPayment).toMatchObject({ status: 'PAID', value: next.paid });
      books = next.books;
    }
    const upcoming = await app.test.get(`${path}/upcoming-payment`);
    expect(upcoming.body.data.upcomingPayment.value).toBe(renew(books).paid);
  }
}

it('bills random changes of plan as the model does, and never more than 0 while credit is left', async () => {
  let count = 0;
  const life = fc.asyncProperty(
    PLAN,
    fc.array(STEP, { minLength: 2, maxLength: 8 }),
    async (first, steps) => {
      count += 1;
      const buyer = { userEmail: `model-${count}@example.com`, quantity: first.quantity };
      const subscribed = await subscribe(app, offers[first.offer] ?? '', buyer);
      await play(subscribed, first, steps);
      await putToRest(app);
    },
  );
  await fc.assert(life, { numRuns: 12, seed: 20_261_121 });
}, 180_000);
