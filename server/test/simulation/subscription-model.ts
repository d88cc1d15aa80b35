/** What is asked of a subscription, and what it should cost. */
import { BillingModel } from './billing-model.ts';
import {
  type Behavior,
  type Books,
  type Card,
  check,
  DELAY_MS,
  isEqual,
  iso,
  isSamePlan,
  NOT_STORED,
  type Payment,
  type Plan,
} from './books.ts';
import { boundaryAt } from './calendar.ts';
import {
  compose,
  type Discount,
  type Item,
  type Line,
  netsOf,
  priceOf,
  prorate,
  type Span,
  share,
  sum,
  unusedRest,
} from './money.ts';
import { roomOf } from './period-books.ts';

export class SubscriptionModel extends BillingModel {
  /** What the current period is worth: paid for or to be billed, less refunds. */
  private get worth(): number {
    return roomOf(this.end, this.payments, this.waiting);
  }

  /** In force in the current period: its own payment is among those that are counted, unless it was given up. */
  private get current(): Discount | null {
    const isCounted = this.payments.some((payment) => payment.start === this.start && isCountedUse(payment));
    const before = isCounted ? this.uses - 1 : this.uses;
    return this.discount !== null && before < this.discount.limit ? this.discount : null;
  }

  /** A payment that waits, also for its buyer, is called off: what it had taken waits again. */
  callOff(payment: Payment): void {
    payment.status = 'CANCELLED';
    this.underWay = this.underWay.filter((way) => way.payment !== payment);
    if (payment.type === 'update') this.drop(payment);
    if (payment.type !== 'interval') return;
    this.wait(payment.carried);
    if (payment.start === this.start) this.uses -= 1;
    this.settleOwed();
  }

  private spanAt(at: number): Span {
    const { start, end } = this;
    const full = end <= this.anchor ? this.anchor - boundaryAt(this.anchor, this.interval, -1) : end - start;
    return { start, end, full, at };
  }

  /** An update that the service took; `at` = from when on it counts, `nowMs` = when it was made. */
  update(
    books: Books,
    plan: Plan,
    { behavior, at, nowMs }: { behavior: Behavior; at: number; nowMs: number },
  ): void {
    this.books = books;
    this.nowMs = nowMs;
    const isSame = isSamePlan(plan.items, this.plan.items);
    const isSameInterval = isEqual(plan.interval, this.interval);
    const isNothing = isSame && isSameInterval;
    if (isNothing || this.status === 'trialing' || (isSameInterval && behavior === 'none')) {
      if (!isNothing || this.scheduled) this.take(this.placed(plan, []));
    } else if (!isSameInterval && behavior === 'none') this.scheduled = plan;
    else if (!isSameInterval) this.restart(plan, at);
    else this.proceed(plan, behavior, at);
  }

  private proceed(plan: Plan, behavior: Behavior, at: number): void {
    const change = { before: this.plan.items, after: plan.items, discount: this.current, today: this.today };
    const { lines, charged } = prorate(change, this.spanAt(at), this.worth);
    const placed = this.placed(plan, charged);
    if (behavior === 'create_prorations') {
      this.wait(lines);
      this.take(placed);
      return;
    }
    const all = [...this.waiting, ...lines];
    const nets = netsOf(all);
    const isDue = ({ place }: Line) => this.isTaxed || (nets.get(place) ?? 0) > 0;
    const left = all.filter((line) => !isDue(line));
    const unborne = this.unborneOf(left, [...left, ...this.nextLines(plan.items)]);
    if (this.isTaxed ? !this.hasUpdateNext() : !all.some(isDue)) {
      this.wait(lines);
      this.take(placed);
      this.payBack(unborne);
      return;
    }
    const put = compose(lines.filter(isDue), this.waiting.filter(isDue));
    this.waiting = this.waiting.filter((line) => !isDue(line));
    this.wait(put.waiting);
    const { start, end } = this;
    const payment = this.write('update', { ...put, status: 'PENDING', start, end });
    const unplaced = [...put.unplaced, ...lines.filter((line) => !isDue(line))];
    this.pending = { payment, plan: placed, unplaced, unborne, startsAnew: false };
    this.charge(payment);
  }

  private get today(): { place: string; at: number } {
    return { place: this.place, at: this.nowMs };
  }

  /** The plan with where each item was last billed: here where it is charged now, nowhere where no bill has named it. */
  private placed({ items, interval }: Plan, charged: readonly string[]): Plan {
    const before = new Map(this.plan.items.map(({ offerId, place }) => [offerId, place]));
    const toPlaced = (item: Item): Item => {
      const place = charged.includes(item.offerId) ? this.place : before.get(item.offerId);
      return place === undefined ? item : { ...item, place };
    };
    return { interval, items: items.map(toPlaced) };
  }

  private hasUpdateNext(): boolean {
    return this.books.payments.length > this.payments.length;
  }

  private restart(plan: Plan, at: number): void {
    // The moment is the service's; the end of the new period is reckoned from it.
    const start = this.books.payments[this.payments.length]?.start ?? this.nowMs;
    check(start >= this.nowMs && start <= this.nowMs + DELAY_MS, 'a new period begins now', {
      start: iso(start),
    });
    const end = boundaryAt(start, plan.interval, 1);
    const own = this.linesOf(plan.items, { from: start, to: end });
    const change = { before: this.plan.items, discount: this.current, today: this.today };
    const put = compose([...own, ...unusedRest(change, this.spanAt(at), this.worth)], this.waiting);
    this.waiting = [];
    this.wait(put.waiting);
    this.uses += 1;
    const next = this.nextLines(plan.items);
    this.uses -= 1;
    const unborne = this.unborneOf([...put.waiting, ...put.unplaced], [...put.lines, ...next]);
    const payment = this.write('update', { ...put, status: 'PENDING', start, end });
    payment.startsAnew = true;
    this.pending = { payment, plan: this.billed(plan), unplaced: put.unplaced, unborne, startsAnew: true };
    this.charge(payment);
  }

  private take(plan: Plan): void {
    this.plan = plan;
    this.scheduled = null;
  }

  protected override hold(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    const { plan, unplaced, unborne, startsAnew } = this.pending;
    this.take(plan);
    this.wait(unplaced);
    this.lowerCredits();
    this.payBack(unborne);
    this.pending = null;
    if (!startsAnew || payment.start === null || payment.end === null) return;
    this.uses += 1;
    this.anchor = payment.start;
    this.start = payment.start;
    this.end = payment.end;
  }

  override drop(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    this.wait(payment.carried);
    this.pending = null;
  }

  /** An extra charge that the service took. */
  chargeExtra(books: Books, { total, nowMs }: { total: number; nowMs: number }): void {
    this.books = books;
    this.nowMs = Math.max(this.nowMs, nowMs);
    const line = { total, from: 0, to: 0, ...this.today };
    const at = { start: null, end: null };
    this.charge(this.write('extra', { value: total, lines: [line], carried: [], status: 'PENDING', ...at }));
  }

  /** A new card is charged at once for what is owed. */
  giveCard(card: Card): void {
    this.card = card;
    if (this.run) this.run.hard = false;
    const isOwing = this.status === 'past_due' || this.status === 'unpaid';
    this.isCollecting = isOwing;
    this.typedCard = null;
    this.cardCount += 1;
    this.methodCount += 1;
  }

  /** What the page of a payment charges: it alone, or, overdue, the oldest of all that is owed. */
  targetOf(payment: Payment): Payment {
    const isOverdue = this.status === 'past_due' || this.status === 'unpaid';
    return isOverdue && payment.type === 'interval' ? (this.owed[0] ?? payment) : payment;
  }

  /** The buyer pays by a card that decides at once; what else is owed is paid by it, too. */
  payOnPage(
    books: Books,
    payment: Payment,
    { card, isKept, nowMs }: { card: Card; isKept: boolean; nowMs: number },
  ): void {
    this.books = books;
    this.nowMs = Math.max(this.nowMs, nowMs);
    // A card that was typed is none that was stored: its decline ends no collecting.
    this.charge(payment, card, NOT_STORED);
    if (card !== 'visa' && card !== 'disputed') return;
    const pressedAt = this.nowMs;
    while (this.settleNext());
    if (isKept) {
      this.card = card;
      this.methodCount += 1;
      if (this.run) this.run.hard = false;
    }
    this.isCollecting = this.status === 'past_due' || this.status === 'unpaid';
    this.typedCard = this.isCollecting && !isKept ? card : null;
    this.pressedAt = this.isCollecting ? pressedAt : null;
  }

  /** What an immediate end gives back: the unused share of what was paid for the period, newest first. */
  unusedRefunds(nowMs: number): Array<{ payment: Payment; amount: number }> {
    const paid = this.payments
      .filter(({ type, status, start }) => {
        const isPaid = status === 'PAID' || status === 'PARTIALLY_REFUNDED';
        return isPaid && type !== 'extra' && start !== null && start >= this.start && start < this.end;
      })
      .toReversed();
    const left = (payment: Payment) => payment.value - payment.refunded;
    let due = share(sum(paid.map(left)), Math.max(this.end - nowMs, 0), this.end - this.start);
    return paid.flatMap((payment) => {
      const amount = Math.min(left(payment), due);
      due -= amount;
      // Its bank has taken that part back already.
      return amount > 0 && !this.disputes.isOpen(payment) ? [{ payment, amount }] : [];
    });
  }
}

/** Of the whole period, and not of a change within it. */
function isCountedUse({ type, status, startsAnew }: Payment): boolean {
  if (type === 'update')
    return startsAnew === true && ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status);
  return type !== 'extra' && status !== 'CANCELLED';
}

export const intervalValue = (model: SubscriptionModel): number => priceOf(model.plan.items);
