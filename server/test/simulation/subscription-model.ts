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
  type Line,
  lower,
  priceOf,
  prorate,
  type Span,
  share,
  sum,
  totalOf,
  unusedRest,
} from './money.ts';

export class SubscriptionModel extends BillingModel {
  /** What the current period is worth: paid for or to be billed, less refunds. */
  private get worth(): number {
    const { start, end } = this;
    const isOf = ({ from, to }: Line) => from >= start && to === end;
    const paid = this.payments.filter(
      (payment) =>
        ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(payment.status) &&
        payment.type !== 'extra' &&
        payment.start !== null &&
        payment.start >= start &&
        payment.start < end,
    );
    const lines = [...paid.flatMap((payment) => payment.lines), ...this.waiting].filter(isOf);
    return totalOf(lines) - sum(paid.map(({ refunded }) => refunded));
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
    this.waiting.push(...payment.carried);
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
      if (!isNothing || this.scheduled) this.take(plan);
    } else if (!isSameInterval && behavior === 'none') this.scheduled = plan;
    else if (!isSameInterval) this.restart(plan, at);
    else this.proceed(plan, behavior, at);
  }

  private proceed(plan: Plan, behavior: Behavior, at: number): void {
    const change = { before: this.plan.items, after: plan.items, discount: this.current };
    const lines = prorate(change, this.spanAt(at), this.worth);
    const put = compose(lines, this.waiting);
    const isFree = this.isTaxed ? !this.hasUpdateNext() : put.value === 0;
    if (behavior === 'create_prorations' || isFree) {
      this.waiting.push(...lines);
      this.take(plan);
      return;
    }
    this.waiting = put.waiting;
    const { start, end } = this;
    const payment = this.write('update', { ...put, status: 'PENDING', start, end });
    this.pending = { payment, plan, unplaced: put.unplaced, startsAnew: false };
    this.charge(payment);
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
    const rest = unusedRest(lower(this.plan.items, this.current), this.spanAt(at), this.worth);
    const put = compose([...own, ...rest], this.waiting);
    this.waiting = put.waiting;
    const payment = this.write('update', { ...put, status: 'PENDING', start, end });
    payment.startsAnew = true;
    this.pending = { payment, plan, unplaced: put.unplaced, startsAnew: true };
    this.charge(payment);
  }

  private take(plan: Plan): void {
    this.plan = plan;
    this.scheduled = null;
  }

  protected override hold(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    const { plan, unplaced, startsAnew } = this.pending;
    this.take(plan);
    this.waiting.push(...unplaced);
    this.pending = null;
    if (!startsAnew || payment.start === null || payment.end === null) return;
    this.uses += 1;
    this.anchor = payment.start;
    this.start = payment.start;
    this.end = payment.end;
  }

  override drop(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    this.waiting.push(...payment.carried);
    this.pending = null;
  }

  /** An extra charge that the service took. */
  chargeExtra(books: Books, { total, nowMs }: { total: number; nowMs: number }): void {
    this.books = books;
    this.nowMs = Math.max(this.nowMs, nowMs);
    const line = { total, from: 0, to: 0 };
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
    while (this.settleNext());
    if (isKept) {
      this.card = card;
      if (this.run) this.run.hard = false;
    }
    this.isCollecting = this.status === 'past_due' || this.status === 'unpaid';
    this.typedCard = this.isCollecting ? card : null;
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
