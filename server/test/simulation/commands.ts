/** What can happen to a subscription: each is done to the service, and told to the model of it. */
import fc from 'fast-check';
import { authenticate } from '../support/buying.ts';
import { boundaryAfter, boundaryAt } from './calendar.ts';
import { share } from './money.ts';
import {
  type Behavior,
  type Books,
  type Card,
  check,
  DELAY_MS,
  intervalValue,
  isEqual,
  iso,
  type PauseBehavior,
  type Payment,
  type Plan,
  refund,
  SubscriptionModel,
} from './subscription-model.ts';
import { type Fault, OFFERS, type World } from './world.ts';

export interface Life {
  number: string;
  userId: string;
  orderId: string;
  model: SubscriptionModel;
}

/** All subscriptions of a store, up to the moment to which it has been moved. */
export interface Lives {
  lives: Life[];
  isTaxed: boolean;
  untilMs: number;
}

interface Bought {
  // The checker of answers has compared them with the description.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  subscription: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  payment: any;
}

type Command = fc.AsyncCommand<Lives, World>;

const DAY_MS = 86_400_000;
const LIVES_MAX = 3;
const CARDS: Record<Card, string> = {
  visa: '4242424242424242',
  soft: '4000000000009995',
  hard: '4000000000009987',
  once: '4000000000000341',
  unknown: '4000000000000119',
  auth: '4000002500003155',
};

const path = ({ number }: Life, verb: string) => `/v0/subscriptions/${number}/${verb}`;

/** Lays the model beside what the store holds. */
export async function compare(world: World, lives: Lives): Promise<void> {
  for (const { number, model } of lives.lives) {
    const books = await world.books(number);
    const row = await world.row(number);
    try {
      model.replay(books, lives.untilMs);
    } catch (error) {
      throw new Error(`${String(error)}\n${describe(books)}`, { cause: error });
    }
    const seen = {
      status: row.status,
      start: iso(row.currentIntervalStart),
      end: iso(row.currentIntervalEnd),
      isEnding: row.cancelAtIntervalEnd,
      value: Number(row.value),
      payments: books.payments.map(({ type, status, refunded }) => ({ type, status, refunded })),
    };
    const expected = {
      status: model.status,
      start: iso(model.start),
      end: iso(model.end),
      isEnding: model.isEnding,
      value: intervalValue(model),
      payments: model.payments.map(({ type, status, refunded }) => ({
        type: `subscription_${type}`,
        status,
        refunded,
      })),
    };
    check(JSON.stringify(seen) === JSON.stringify(expected), 'the store holds what it should', {
      number,
      seen,
      expected,
    });
    adoptRetry(model, row.retryAt);
  }
}

/** For whoever reads the failure. */
function describe({ payments, charges }: Books): string {
  return [
    ...payments.map(({ type, status, value, start, end }, place) =>
      [place, type, status, value, iso(start), iso(end)].join(' '),
    ),
    ...charges.map(({ payment, status, amount, createdAt, settledAt }) =>
      ['charge of', payment, status, amount, iso(createdAt), iso(settledAt)].join(' '),
    ),
  ].join('\n');
}

/** A step that was delayed by a fault moves the next day of the run by as much. */
function adoptRetry({ run }: SubscriptionModel, retryAt: number | null): void {
  if (run?.retryAt == null || retryAt === null) return;
  const late = retryAt - run.retryAt;
  check(late >= 0 && late <= DELAY_MS, 'the next retry is due in days', {
    expected: iso(run.retryAt),
    seen: iso(retryAt),
  });
  run.retryAt = retryAt;
}

abstract class Step implements Command {
  protected abstract readonly label: string;
  check(lives: Readonly<Lives>): boolean {
    return lives.lives.length > 0;
  }
  async run(lives: Lives, world: World): Promise<void> {
    try {
      await this.take(lives, world);
      await compare(world, lives);
    } catch (error) {
      throw new Error(`${this.toString()} at ${iso(lives.untilMs)}: ${String(error)}`, { cause: error });
    }
  }
  toString(): string {
    return this.label;
  }
  protected abstract take(lives: Lives, world: World): Promise<void>;
}

function pick({ lives }: Lives, index: number): Life {
  const life = lives[index % lives.length];
  check(life !== undefined, 'there is a subscription');
  return life;
}

export class Subscribe extends Step {
  protected readonly label: string;
  private readonly how: {
    offer: number;
    quantity: number;
    card: Card;
    start: 'checkout' | 'api' | 'anchor' | 'backdate';
    share: number;
  };
  constructor(how: Subscribe['how']) {
    super();
    this.how = how;
    this.label = `subscribe(${JSON.stringify(how)})`;
  }
  override check({ lives }: Readonly<Lives>): boolean {
    return lives.length < LIVES_MAX;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const { offer: index, quantity, card, start, share: part } = this.how;
    const offer = world.offers[index];
    check(offer !== undefined, 'there is an offer');
    const before = await world.now();
    const isPlain = start === 'checkout' || start === 'api' || offer.trialDays !== null;
    const next = boundaryAfter(before, offer.interval, before);
    const shift = Math.round((next - before) * part);
    const asked = isPlain
      ? {}
      : start === 'anchor'
        ? { billingCycleAnchor: Math.min(before + shift + DAY_MS, next) }
        : { backdateStartDate: before - 3 * shift };
    const answered = await (start === 'checkout'
      ? this.buy(world, offer.id)
      : this.create(world, { offerId: offer.id, quantity, ...asked }));
    const made = await this.settled(lives, world, answered);
    if (made === null) return;
    const {
      id: number,
      userId,
      orderId,
      currentIntervalStart,
      currentIntervalEnd,
      trialEnd,
    } = made.subscription;
    const plan = { items: [{ offerId: offer.id, price: offer.price, quantity }], interval: offer.interval };
    const anchor =
      trialEnd ?? asked.billingCycleAnchor ?? asked.backdateStartDate ?? (currentIntervalStart as number);
    let value = offer.trialDays === null ? offer.price * quantity : 0;
    if (asked.billingCycleAnchor !== undefined) {
      const full = anchor - boundaryAt(anchor, offer.interval, -1);
      if (anchor - currentIntervalStart < full) value = share(value, anchor - currentIntervalStart, full);
    }
    check(lives.isTaxed || made.payment.value === value, 'the first payment is of the price', {
      expected: value,
      seen: made.payment.value,
    });
    const start0 = currentIntervalStart as number;
    const expectedEnd = trialEnd ?? boundaryAfter(anchor, offer.interval, start0);
    check(currentIntervalEnd === expectedEnd, 'the first period ends by the calendar', {
      expected: iso(expectedEnd),
      seen: iso(currentIntervalEnd),
    });
    const { charges } = await world.books(number);
    check(charges.length === 1 || value === 0, 'the first payment is charged once', charges);
    const beginning = {
      charges: charges.length,
      plan,
      card,
      trialEnd,
      anchor,
      start: start0,
      end: expectedEnd,
      value: made.payment.value,
    };
    lives.lives.push({
      number,
      userId,
      orderId,
      model: new SubscriptionModel({ ...beginning, isTaxed: lives.isTaxed }),
    });
  }
  /** With a fault the purchase is decided later; null = it has come to nothing, as a card that was typed may. */
  private async settled(lives: Lives, world: World, answered: Bought): Promise<Bought | null> {
    if (answered.subscription.status !== 'incomplete') return answered;
    lives.untilMs = (await world.now()) + DELAY_MS;
    await world.advanceTo(lives.untilMs);
    const { subscription } = await world.ask(
      world.store.get(`/v0/subscriptions/${answered.subscription.id}`),
    );
    const { payment } = await world.ask(world.store.get(`/v0/payments/${answered.payment.id}`));
    if (subscription.status !== 'incomplete') return { subscription, payment };
    check(payment.status === 'FAILED', 'a purchase is decided in time', payment);
    return null;
  }
  private buy(world: World, offerId: string): Promise<Bought> {
    const { quantity, card } = this.how;
    const body = { offersIds: [offerId], quantity, card: CARDS[card], userEmail: world.nextEmail() };
    return world.ask(
      world.store.post('/v0/test-purchases/create', { ...body, billingDetails: { countryCode: 'DE' } }),
    );
  }
  private async create(world: World, body: Record<string, unknown>): Promise<Bought> {
    const email = world.nextEmail();
    const paymentData = { sandboxCustomerId: `card_${CARDS[this.how.card]}` };
    await world.ask(
      world.store.post('/v0/users/create', { email, billingDetails: { countryCode: 'DE' }, paymentData }),
    );
    return world.ask(world.store.post('/v0/subscriptions/create', { userEmail: email, ...body }));
  }
}

export class Wait extends Step {
  protected label: string;
  private readonly byMs: number;
  constructor(byMs: number) {
    super();
    this.byMs = byMs;
    this.label = `wait(${(byMs / DAY_MS).toFixed(3)} days)`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    await this.waitUntil(lives, world, Math.max(await world.now(), lives.untilMs) + this.byMs);
  }
  protected async waitUntil(lives: Lives, world: World, endMs: number): Promise<void> {
    while (lives.untilMs < endMs) await this.toNextRenewal(lives, world, endMs);
  }
  /** What is shown right before a renewal is what it then costs. */
  private async toNextRenewal(lives: Lives, world: World, endMs: number): Promise<void> {
    const shown = [];
    for (const { number } of lives.lives) {
      const { upcomingPayment } = await world.ask(
        world.store.get(`/v0/subscriptions/${number}/upcoming-payment`),
      );
      shown.push({ number, upcoming: upcomingPayment });
    }
    const dates = shown.flatMap(({ upcoming }) =>
      upcoming && upcoming.date > lives.untilMs ? [upcoming.date as number] : [],
    );
    const untilMs = Math.max(Math.min(endMs, ...dates.map((date) => date + 1000)), await world.now());
    await world.advanceTo(untilMs);
    lives.untilMs = untilMs;
    await compare(world, lives);
    for (const { number, upcoming } of shown) {
      if (!upcoming || upcoming.date > untilMs) continue;
      const { payments } = await world.books(number);
      const made = payments.find(
        ({ type, start }) => type === 'subscription_interval' && start === upcoming.date,
      );
      if (made === undefined) continue;
      check(made.value === upcoming.value && made.end === upcoming.periodEnd, 'a renewal is what was shown', {
        made,
        upcoming,
      });
    }
  }
}

/** To shortly before a period ends, where what is begun is still under way at the boundary. */
export class WaitForEnd extends Wait {
  private readonly life: number;
  private readonly lessMs: number;
  constructor(life: number, lessMs: number) {
    super(0);
    this.life = life;
    this.lessMs = lessMs;
    this.label = `waitForEnd(${life}, less ${lessMs} ms)`;
  }
  protected override async take(lives: Lives, world: World): Promise<void> {
    const { model } = pick(lives, this.life);
    if (!model.isEnded) await this.waitUntil(lives, world, model.end - this.lessMs);
  }
}

export class Update extends Step {
  protected readonly label: string;
  private readonly how: {
    life: number;
    offer: number;
    second: number | null;
    quantity: number;
    behavior: Behavior;
    share: number;
  };
  constructor(how: Update['how']) {
    super();
    this.how = how;
    this.label = `update(${JSON.stringify(how)})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.how.life);
    const { model } = life;
    const { behavior } = this.how;
    const plan = this.planOf(world);
    const items = plan.items.map(({ offerId, quantity }) => ({ offerId, quantity }));
    const at = Math.floor(model.start + (model.end - 1 - model.start) * this.how.share);
    const body = { items, prorationBehavior: behavior, prorationDate: at };
    const isRunning = model.status === 'active' || model.status === 'trialing';
    if (!isRunning || model.pending !== null || model.isCharging) {
      await world.refused(world.store.patch(path(life, 'update'), body));
      return;
    }
    const { preview } = await world.ask(world.store.post(path(life, 'preview-update'), body));
    const nowMs = await world.now();
    const { payment, success } = await world.ask(world.store.patch(path(life, 'update'), body));
    model.update(await world.books(life.number), plan, { behavior, at, nowMs });
    check((payment?.value ?? 0) === preview.amountDue, 'a change costs what was shown', { payment, preview });
    model.replay(await world.books(life.number), lives.untilMs);
    if (!success || model.pending !== null) return;
    const { upcomingPayment } = await world.ask(world.store.get(path(life, 'upcoming-payment')));
    const isMoved =
      !isEqual(plan.interval, model.interval) || preview.nextPayment?.date !== upcomingPayment?.date;
    // The period of a preview that begins anew begins when it is looked at.
    if (isMoved && payment !== null) return;
    check(
      JSON.stringify(preview.nextPayment) === JSON.stringify(upcomingPayment),
      'the payment after a change is what was shown',
      { shown: preview.nextPayment, upcomingPayment },
    );
  }
  /** Items of one subscription have one interval: a second one is taken only where it fits. */
  private planOf({ offers }: World): Plan {
    const { offer, second, quantity } = this.how;
    const first = offers[offer];
    const beside = second === null ? undefined : offers[second];
    check(first !== undefined, 'there is an offer');
    const items = [{ offerId: first.id, price: first.price, quantity }];
    if (beside && beside.id !== first.id && isEqual(beside.interval, first.interval)) {
      items.push({ offerId: beside.id, price: beside.price, quantity: 1 });
    }
    return { items, interval: first.interval };
  }
}

export class SetFlag extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly isEnding: boolean;
  constructor(life: number, isEnding: boolean) {
    super();
    this.life = life;
    this.isEnding = isEnding;
    this.label = `cancelAtIntervalEnd(${life}, ${isEnding})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const request = world.store.patch(path(life, 'update'), { cancelAtIntervalEnd: this.isEnding });
    if (!['trialing', 'active', 'past_due', 'paused'].includes(model.status)) {
      await world.refused(request);
      return;
    }
    await world.ask(request);
    model.isEnding = this.isEnding;
  }
}

export class Pause extends Step {
  protected readonly label: string;
  private readonly how: { life: number; behavior: PauseBehavior; days: number | null };
  constructor(how: Pause['how']) {
    super();
    this.how = how;
    this.label = `pause(${JSON.stringify(how)})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.how.life);
    const { model } = life;
    const { behavior, days } = this.how;
    const resumeAt = days === null ? null : lives.untilMs + days * DAY_MS;
    const request = world.store.patch(path(life, 'pauseCollection'), {
      invoicingBehavior: behavior,
      resumeAt,
    });
    if (!['trialing', 'active', 'past_due'].includes(model.status)) {
      await world.refused(request);
      return;
    }
    const { subscription } = await world.ask(request);
    model.status = 'paused';
    model.pause = { behavior, at: subscription.pausedAt, resumeAt };
  }
}

export class Resume extends Step {
  protected readonly label: string;
  private readonly life: number;
  constructor(life: number) {
    super();
    this.life = life;
    this.label = `resume(${life})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const before = await world.now();
    const request = world.store.patch(path(life, 'resume'), {});
    if (model.status !== 'paused' || model.pause === null) {
      await world.refused(request);
      return;
    }
    await world.ask(request);
    model.pause.resumeAt = Math.max(before, lives.untilMs);
    lives.untilMs = await world.now();
  }
}

export class EndTrial extends Step {
  protected readonly label: string;
  private readonly life: number;
  constructor(life: number) {
    super();
    this.life = life;
    this.label = `endTrial(${life})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const request = world.store.post(path(life, 'end-trial'), {});
    if (model.status !== 'trialing') {
      await world.refused(request);
      return;
    }
    await world.ask(request);
    if (!model.isCharging) {
      const { trialEnd } = await world.row(life.number);
      model.trialEnd = trialEnd;
      model.anchor = trialEnd ?? 0;
      model.end = model.anchor;
    }
    lives.untilMs = await world.now();
  }
}

export class CancelNow extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly withRefund: boolean;
  constructor(life: number, withRefund: boolean) {
    super();
    this.life = life;
    this.withRefund = withRefund;
    this.label = `cancel(${life}, refund ${withRefund})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const request = world.store.patch(path(life, 'cancel'), { refund: this.withRefund });
    if (model.isEnded) {
      await world.refused(request);
      return;
    }
    const waiting = model.underWay.filter(({ card }) => card === 'auth');
    await world.ask(request);
    const { endedAt } = await world.row(life.number);
    check(endedAt !== null, 'it has ended');
    if (this.withRefund)
      for (const { payment, amount } of model.unusedRefunds(endedAt)) refund(payment, amount);
    model.close();
    // A charge that waits for the buyer can be stopped; one that the processor does not tell of goes on.
    for (const { payment } of waiting) payment.status = 'CANCELLED';
  }
}

export class Refund extends Step {
  protected readonly label: string;
  private readonly how: { life: number; payment: number; share: number };
  constructor(how: Refund['how']) {
    super();
    this.how = how;
    this.label = `refund(${JSON.stringify(how)})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.how.life);
    const { model } = life;
    const left = ({ value, refunded }: Payment) => value - refunded;
    const places = model.payments.flatMap((payment, place) =>
      ['PAID', 'PARTIALLY_REFUNDED'].includes(payment.status) && left(payment) > 0 ? [place] : [],
    );
    const place = places[this.how.payment % Math.max(places.length, 1)];
    const payment = place === undefined ? undefined : model.payments[place];
    if (place === undefined || payment === undefined) return;
    const amount = Math.max(1, Math.floor(left(payment) * this.how.share));
    const { ids } = await world.books(life.number);
    const body = { paymentId: ids[place], amount };
    await world.ask(world.store.post(`/v0/orders/${life.orderId}/refunds`, body));
    refund(payment, amount);
  }
}

export class ChargeExtra extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly amount: number;
  constructor(life: number, amount: number) {
    super();
    this.life = life;
    this.amount = amount;
    this.label = `charge(${life}, ${amount})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const { amount } = this;
    const items = [{ name: 'Extra', unitPrice: amount, currency: 'EUR' }];
    const request = world.store.post(path(life, 'charge'), { items });
    if (model.status !== 'active') {
      await world.refused(request);
      return;
    }
    await world.ask(request);
    const books = await world.books(life.number);
    model.chargeExtra(books, { total: amount, nowMs: lives.untilMs });
  }
}

export class GiveCard extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly card: Card;
  constructor(life: number, card: Card) {
    super();
    this.life = life;
    this.card = card;
    this.label = `card(${life}, ${card})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model } = life;
    const paymentData = { sandboxCustomerId: `card_${CARDS[this.card]}` };
    await world.ask(world.store.patch(`/v0/users/${life.userId}/update`, { paymentData }));
    if (!model.isEnded) model.giveCard(this.card);
    // The worker charges what is owed at once.
    lives.untilMs = (await world.now()) + 1;
    await world.advanceTo(lives.untilMs);
  }
}

/** The buyer answers the bank of a charge that waits for it. */
export class Authenticate extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly isApproved: boolean;
  constructor(life: number, isApproved: boolean) {
    super();
    this.life = life;
    this.isApproved = isApproved;
    this.label = `authenticate(${life}, ${isApproved})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const { model, number } = pick(lives, this.life);
    const [way] = model.underWay.filter(({ card }) => card === 'auth');
    if (!way) return;
    const { chargeIds } = await world.books(number);
    const { status } = await authenticate(
      world.app,
      `/sandbox/authenticate/${chargeIds[way.charge]}`,
      this.isApproved ? 'approve' : 'reject',
    );
    check(status !== undefined && status < 400, 'the bank takes the answer', { status });
  }
}

export class CancelPayment extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly payment: number;
  constructor(life: number, payment: number) {
    super();
    this.life = life;
    this.payment = payment;
    this.label = `cancelPayment(${life}, ${payment})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const { model, number } = pick(lives, this.life);
    const places = model.payments.flatMap(({ status }, place) => (status === 'UNPAID' ? [place] : []));
    const place = places[this.payment % Math.max(places.length, 1)];
    const payment = place === undefined ? undefined : model.payments[place];
    if (place === undefined || payment === undefined) return;
    const { ids } = await world.books(number);
    await world.ask(world.store.post(`/v0/payments/${ids[place]}/cancel`, {}));
    payment.status = 'CANCELLED';
    if (model.status !== 'paused' && model.owed.length === 0) model.settleNothing();
  }
}

export class Break extends Step {
  protected readonly label: string;
  private readonly fault: Fault;
  private readonly after: number;
  constructor(fault: Fault, after: number) {
    super();
    this.fault = fault;
    this.after = after;
    this.label = `break(${fault}, ${after})`;
  }
  override check(): boolean {
    return true;
  }
  protected async take(_lives: Lives, world: World): Promise<void> {
    world.arm(this.fault, this.after);
  }
}

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
    card: fc.constantFrom<Card>('visa', 'visa', 'once'),
    start: fc.constantFrom('checkout' as const, 'api' as const, 'anchor' as const, 'backdate' as const),
    share: fc.integer({ min: 0, max: 1000 }).map((mille) => mille / 1000),
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
const card = fc.constantFrom<Card>('visa', 'visa', 'soft', 'hard', 'once', 'unknown', 'auth');
const fault = fc.constantFrom<Fault>(
  'lost_call',
  'lost_answer',
  'killed_before_call',
  'killed_in_transaction',
);

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
  fc.tuple(life, fc.boolean()).map(([at, isApproved]) => new Authenticate(at, isApproved)),
  fc.tuple(life, fc.nat(5)).map(([at, payment]) => new CancelPayment(at, payment)),
  fc.tuple(fault, fc.nat(12)).map(([kind, after]) => new Break(kind, after)),
];
