/** Subscriptions begin, and time goes by. */

import { type Card, check, DELAY_MS, iso } from './books.ts';
import { boundaryAfter, boundaryAt } from './calendar.ts';
import { CARDS, compare, DAY_MS, LIVES_MAX, type Lives, pick, Step } from './lives.ts';
import { type Discount, lower, share, sum } from './money.ts';
import { SubscriptionModel } from './subscription-model.ts';
import type { World } from './world.ts';

interface Bought {
  // The checker of answers has compared them with the description.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  subscription: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  payment: any;
}

export class Subscribe extends Step {
  protected readonly label: string;
  private readonly how: {
    offer: number;
    quantity: number;
    card: Card;
    start: 'checkout' | 'api' | 'anchor' | 'backdate';
    share: number;
    /** Of the catalogue's; null = none. */
    discount: number | null;
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
    const discount = this.findDiscount(world);
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
      : this.create(world, {
          offerId: offer.id,
          quantity,
          ...asked,
          ...(discount ? { discountCode: discount.code } : {}),
        }));
    const made = await this.settled(lives, world, answered);
    if (made === null) return;
    const { id: number, userId, orderId, trialEnd } = made.subscription;
    const { currentIntervalStart, currentIntervalEnd } = made.subscription;
    const plan = { items: [{ offerId: offer.id, price: offer.price, quantity }], interval: offer.interval };
    const anchor =
      trialEnd ?? asked.billingCycleAnchor ?? asked.backdateStartDate ?? (currentIntervalStart as number);
    let value = offer.trialDays === null ? sum(lower(plan.items, discount)) : 0;
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
    const { amounts } = await world.order(orderId);
    check(amounts.value === made.payment.value, 'an order is worth its first payment', amounts);
    const beginning = {
      charges,
      amounts,
      plan,
      card,
      trialEnd,
      anchor,
      start: start0,
      end: expectedEnd,
      value: made.payment.value,
      discount,
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
  /** A test purchase takes no code. */
  private findDiscount({ discounts }: World): Discount | null {
    const { discount, start } = this.how;
    return start === 'checkout' || discount === null ? null : (discounts[discount] ?? null);
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
    for (const { number, model } of lives.lives) {
      const { upcomingPayment } = await world.ask(
        world.store.get(`/v0/subscriptions/${number}/upcoming-payment`),
      );
      // What a change bills that waits for its money comes back to the next payment if the money never comes.
      shown.push({ number, upcoming: upcomingPayment, isOpen: model.pending !== null });
    }
    const dates = shown.flatMap(({ upcoming }) =>
      upcoming && upcoming.date > lives.untilMs ? [upcoming.date as number] : [],
    );
    const untilMs = Math.max(Math.min(endMs, ...dates.map((date) => date + 1000)), await world.now());
    await world.advanceTo(untilMs);
    lives.untilMs = untilMs;
    await compare(world, lives);
    for (const { number, upcoming, isOpen } of shown) {
      if (!upcoming || upcoming.date > untilMs || isOpen) continue;
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
