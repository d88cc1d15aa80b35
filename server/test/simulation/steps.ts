/** What can happen to subscriptions, and how often. */
import fc from 'fast-check';
import type { Behavior, Card, PauseBehavior } from './books.ts';
import { type Command, DAY_MS, LIVES_MAX } from './lives.ts';
import { CancelNow, EndTrial, Pause, Resume, SetFlag, Update } from './steps-of-change.ts';
import {
  Authenticate,
  Break,
  CancelPayment,
  ChargeExtra,
  GiveCard,
  Move,
  PayOnPage,
  Refund,
} from './steps-of-money.ts';
import { CancelOrder, CorrectOrder } from './steps-of-order.ts';
import { Subscribe, Wait, WaitForEnd } from './steps-of-time.ts';
import { DISCOUNTS, type Fault, OFFERS } from './world.ts';

const life = fc.nat(LIVES_MAX - 1);
const offer = fc.nat(OFFERS - 1);
const quantity = fc.integer({ min: 1, max: 3 });
const behavior = fc.constantFrom<Behavior>('create_prorations', 'always_invoice', 'none');
/** Of a period: its start, its last millisecond, and anything between. */
const part = fc.oneof(
  fc.constant(0),
  fc.constant(1),
  fc.integer({ min: 0, max: 1000 }).map((mille) => mille / 1000),
);

export const subscribe = fc
  .record({
    offer,
    quantity,
    card: fc.constantFrom<Card>('visa', 'visa', 'visa', 'once', 'disputed'),
    start: fc.constantFrom('checkout' as const, 'api' as const, 'anchor' as const, 'backdate' as const),
    share: fc.integer({ min: 0, max: 1000 }).map((mille) => mille / 1000),
    discount: fc.option(fc.nat(DISCOUNTS - 1)),
  })
  .map((how) => new Subscribe(how));
const wait = fc
  .oneof(
    fc.constant(60_000),
    fc.integer({ min: 1, max: 9 * 24 }).map((hours) => hours * 3_600_000),
    fc.integer({ min: 10, max: 70 }).map((days) => days * DAY_MS),
  )
  .map((byMs) => new Wait(byMs));
const waitForEnd = fc
  .tuple(life, fc.constantFrom(1000, 60_000, 3_600_000, 20 * 3_600_000))
  .map(([at, lessMs]) => new WaitForEnd(at, lessMs));
const update = fc
  .record({ life, offer, second: fc.option(offer), quantity, behavior, share: part })
  .map((how) => new Update(how));
const place = fc.constantFrom('DE', 'FR', 'PL');
const card = fc.constantFrom<Card>('visa', 'visa', 'soft', 'hard', 'once', 'unknown', 'auth', 'disputed');
const fault = fc.constantFrom<Fault>(
  'lost_call',
  'lost_answer',
  'killed_before_call',
  'killed_in_transaction',
);

/** Tax and fee of a record lie within its value. */
const amounts = fc
  .record({ value: fc.nat(20_000), mille: fc.nat(1000), currency: fc.constantFrom('EUR', 'USD') })
  .map(({ value, mille, currency }) => {
    const within = Math.floor((value * mille) / 1000);
    return { value, tax: within, fee: value - within, currency };
  });
const called = fc.constantFrom(
  'PAID',
  'PAID',
  'PENDING',
  'FAILED',
  'UNPAID',
  'EXPIRED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
  'CANCELLED',
);
const correction = fc
  .tuple(fc.option(amounts), fc.option(called))
  .map(([changed, status]) => ({ ...changed, ...(status === null ? {} : { status }) }));

/** Kinds of steps; what is named more often happens more often. */
export const STEPS: fc.Arbitrary<Command>[] = [
  subscribe,
  wait,
  wait,
  wait,
  waitForEnd,
  update,
  update,
  update,
  fc.tuple(life, fc.boolean()).map(([at, isEnding]) => new SetFlag(at, isEnding)),
  fc
    .record({
      life,
      behavior: fc.constantFrom<PauseBehavior>('void', 'keep_as_draft', 'mark_uncollectible'),
      days: fc.option(fc.integer({ min: 1, max: 50 })),
    })
    .map((how) => new Pause(how)),
  life.map((at) => new Resume(at)),
  life.map((at) => new EndTrial(at)),
  fc.tuple(life, fc.boolean()).map(([at, withRefund]) => new CancelNow(at, withRefund)),
  fc
    .record({
      life,
      payment: fc.nat(9),
      share: fc.oneof(
        fc.constant(1),
        fc.integer({ min: 0, max: 1000 }).map((mille) => mille / 1000),
      ),
    })
    .map((how) => new Refund(how)),
  fc.tuple(life, fc.integer({ min: 1, max: 5000 })).map(([at, amount]) => new ChargeExtra(at, amount)),
  fc.tuple(life, card).map(([at, given]) => new GiveCard(at, given)),
  fc.tuple(life, card).map(([at, given]) => new GiveCard(at, given)),
  fc
    .record({
      life,
      payment: fc.nat(5),
      card: fc.constantFrom<Card>('visa', 'visa', 'soft', 'hard', 'disputed'),
      isKept: fc.boolean(),
    })
    .map((how) => new PayOnPage(how)),
  fc.tuple(life, fc.boolean()).map(([at, isApproved]) => new Authenticate(at, isApproved)),
  fc.tuple(life, place).map(([at, to]) => new Move(at, to)),
  fc.tuple(life, place).map(([at, to]) => new Move(at, to)),
  fc.tuple(life, fc.nat(5)).map(([at, payment]) => new CancelPayment(at, payment)),
  life.map((at) => new CancelOrder(at)),
  fc.tuple(life, correction).map(([at, corrected]) => new CorrectOrder(at, corrected)),
  fc.tuple(fault, fc.nat(12)).map(([kind, after]) => new Break(kind, after)),
];
