/**
 * What a subscription should have done, in plain numbers: an account of its own of the periods, retries and
 * payments, written from the specification. It is laid beside what the store really holds: each charge that it
 * expects must be there, in this order, with this amount, and nothing else may be.
 */

import {
  ACTION_MS,
  type Books,
  check,
  DELAY_MS,
  expectOutcome,
  iso,
  NOT_STORED,
  type Payment,
  RETRY_DAYS,
  type Run,
  type UnderWay,
} from './books.ts';
import { boundaryAfter, boundaryBefore } from './calendar.ts';
import { compose, type Item, type Line, lower } from './money.ts';
import { SubscriptionState } from './subscription-state.ts';

export abstract class BillingModel extends SubscriptionState {
  /** Does everything that falls due up to a moment, and settles what the store has settled. */
  replay(books: Books, untilMs: number): void {
    this.books = books;
    for (;;) {
      if (this.settleNext()) continue;
      const step = this.nextStep();
      if (step === null || step.at > untilMs) break;
      // Also where an operation came first: what falls due is done as of its own moment.
      this.nowMs = step.at;
      step.take();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
    for (const { createdAt, card } of this.underWay) {
      // The buyer has a day, or until the subscription ends.
      const decidedAt =
        card === 'auth' ? Math.min(createdAt + ACTION_MS, this.endedAt ?? Infinity) : createdAt;
      check(untilMs < decidedAt + DELAY_MS, `a charge of ${iso(createdAt)} settles in time`);
    }
    check(books.charges.length === this.chargeCount, 'no charge is made that was not to be made', {
      expected: this.chargeCount,
      charges: books.charges,
    });
  }

  /** What an end finds taken, since it asks the processor first. */
  settleTaken(books: Books): void {
    this.books = books;
    while (this.settleNext((charge) => charge?.status === 'succeeded'));
  }

  protected settleNext(
    isAsked: (charge: Books['charges'][number] | undefined) => boolean = () => true,
  ): boolean {
    const index = this.underWay.findIndex(({ charge: number }) => {
      const charge = this.books.charges[number];
      return isAsked(charge) && this.isSettled(charge);
    });
    const [way] = index < 0 ? [] : this.underWay.splice(index, 1);
    const actual = way && this.books.charges[way.charge];
    if (!way || !actual || actual.settledAt === null) return false;
    this.nowMs = Math.max(this.nowMs, actual.settledAt);
    const isPaid = actual.status === 'succeeded';
    const expected = expectOutcome(way, actual.settledAt, this.paidCards);
    // A charge that the processor had not seen by the end is not made any more.
    check(
      expected === 'any' || isPaid === (expected === 'paid') || (this.isEnded && !isPaid),
      `a charge of ${way.card} is ${expected}`,
      actual,
    );
    if (isPaid) {
      this.paidCards.add(way.card);
      if (way.card === 'disputed') this.disputes.await({ ...way, settledAt: actual.settledAt });
      this.settlePaid(way.payment);
    } else this.settleFailed(way, actual.settledAt);
    return true;
  }

  /** What is settled after the end that was asked for finds the subscription ended, unless the end waits for it. */
  private isSettled(charge: Books['charges'][number] | undefined): boolean {
    if (charge?.settledAt == null) return false;
    const isEndFirst = this.isEnding && !this.isEnded && !this.isCharging && this.end < charge.settledAt;
    const disputedAt = this.disputes.nextAt(this.books);
    return !isEndFirst && (disputedAt === null || disputedAt >= charge.settledAt);
  }

  protected nextStep(): { at: number; take: () => void } | null {
    const own = this.ownStep();
    const at = this.disputes.nextAt(this.books);
    if (at === null || (own && own.at <= at)) return own;
    return { at, take: () => this.dispute() };
  }

  /** What its bank asks back stops all charges; what it has taken back ends the subscription. */
  private dispute(): void {
    const { at, payment, what } = this.disputes.take(this.books);
    const isRunning = ['trialing', 'active', 'past_due'].includes(this.status);
    if (what === 'opened' && isRunning) {
      this.status = 'paused';
      this.pause = { behavior: 'void', at, resumeAt: null };
    }
    if (what !== 'lost') return;
    this.giveBack(payment, payment.value - payment.refunded);
    if (!this.isEnded) this.close();
  }

  private ownStep(): { at: number; take: () => void } | null {
    if (this.isEnded || this.isCharging) return null;
    if (this.isCollecting) return { at: this.nowMs, take: () => this.collect() };
    const boundary = this.boundaryStep();
    const other = this.otherStep();
    if (!boundary || !other) return boundary ?? other;
    return boundary.at < other.at ? boundary : other;
  }

  protected otherStep() {
    const { pause, run } = this;
    if (this.status === 'paused' && pause?.resumeAt)
      return { at: pause.resumeAt, take: () => this.endPause() };
    if (this.status === 'past_due' && run) {
      return {
        at: run.retryAt ?? this.nowMs,
        take: () => (run.hard ? this.failRun(run, this.nowMs) : this.retry(run)),
      };
    }
    return null;
  }

  protected boundaryStep() {
    const at = this.end;
    // Which plan the next period is of is known once the change is paid for or off.
    if (this.pending !== null && !this.isEnding) return null;
    if (this.isEnding) return { at, take: () => this.close() };
    if (this.status === 'paused') return { at, take: () => this.pass() };
    return this.status === 'unpaid' ? null : { at, take: () => this.renew() };
  }

  protected collect(): void {
    const [oldest] = this.owed;
    const isOwing = this.status === 'past_due' || this.status === 'unpaid';
    if (oldest && isOwing) this.charge(oldest, this.typedCard ?? this.card);
    else this.stopCollecting();
  }

  protected stopCollecting(): void {
    this.isCollecting = false;
    this.typedCard = null;
    this.pressedAt = null;
  }

  protected retry(run: Run): void {
    const [oldest] = this.owed;
    if (!oldest) {
      this.settleNothing();
      return;
    }
    run.retryAt = null;
    this.charge(oldest);
  }

  protected endPause(): void {
    const { pause, run } = this;
    if (run) {
      const pausedFor = this.nowMs - (pause?.at ?? this.nowMs);
      run.retryAt = (run.retryAt ?? pause?.at ?? this.nowMs) + pausedFor;
      run.startedAt += pausedFor;
      this.status = 'past_due';
      this.pause = null;
      this.isCollecting = !this.isCardTried();
      return;
    }
    const [oldest] = this.owed;
    if (oldest) this.charge(oldest);
    else this.settleNothing();
  }

  protected pass(): void {
    this.startScheduled();
    const behavior = this.pause?.behavior;
    if (behavior === 'keep_as_draft') this.writeInterval('UNPAID', this.waiting);
    if (behavior === 'mark_uncollectible') this.writeInterval('CANCELLED', null);
    this.moveOn();
  }

  protected renew(): void {
    this.startScheduled();
    const isWaiting = this.owed.length > 0;
    const payment = this.writeInterval('UNPAID', this.waiting);
    this.moveOn();
    if (payment.value === 0 || !isWaiting) this.charge(payment);
  }

  protected startScheduled(): void {
    if (this.scheduled === null) return;
    this.plan = this.scheduled;
    this.scheduled = null;
    this.anchor = this.end;
  }

  protected moveOn(): void {
    const start = this.end;
    this.end = boundaryAfter(this.anchor, this.interval, start);
    this.start = start;
  }

  /** `waiting` null = what waits goes on waiting. */
  protected writeInterval(status: string, waiting: Line[] | null): Payment {
    const start = this.end;
    const end = boundaryAfter(this.anchor, this.interval, start);
    const own = this.linesOf(this.plan.items, { from: start, to: end });
    const put = compose(own, waiting ?? []);
    if (status !== 'CANCELLED') this.uses += 1;
    this.plan = this.billed(this.plan);
    const payment = this.write('interval', { ...put, status, start, end });
    if (waiting !== null) {
      this.waiting = [];
      this.wait([...put.waiting, ...put.unplaced]);
      this.payBack(this.unborneOf(this.waiting, [...put.lines, ...this.nextLines(this.plan.items)]));
    }
    return payment;
  }

  /** What the next period that is charged would be made of today. */
  protected nextLines(items: readonly Item[]): Line[] {
    return this.linesOf(items, { from: 0, to: 0 });
  }

  /** What a period to come costs, item by item. */
  protected linesOf(items: readonly Item[], time: { from: number; to: number }): Line[] {
    const isLowered = this.discount !== null && this.uses < this.discount.limit;
    const about = { ...time, place: this.place, at: this.nowMs };
    return lower(items, isLowered ? this.discount : null).map((total) => ({ total, ...about }));
  }

  write(type: Payment['type'], given: Omit<Payment, 'type' | 'refunded' | 'backs'>): Payment {
    const { value, lines, carried, status, start, end } = given;
    const actual = this.books.payments[this.payments.length];
    const about = { type, value, start, end };
    check(actual !== undefined, `a payment is written`, about);
    // With tax the sums are the service's own: that they add up is asked of its invariants.
    const payment = {
      type,
      value: this.isTaxed ? actual.value : value,
      lines,
      carried,
      status,
      start,
      end,
      refunded: 0,
      backs: [],
    };
    check(
      actual.type === `subscription_${type}` && actual.value === payment.value,
      'a payment is of what it was to be',
      { expected: about, actual, lines },
    );
    check(actual.start === start && actual.end === end, 'a payment is for its period', {
      expected: about,
      actual,
    });
    this.payments.push(payment);
    return payment;
  }

  /** By another card than the stored one where the buyer types it. */
  charge(payment: Payment, card = this.card, cardCount = this.cardCount): void {
    payment.status = 'PENDING';
    if (cardCount !== NOT_STORED && this.typedCard === null) this.noteTry(payment);
    if (payment.value === 0) {
      this.settlePaid(payment);
      return;
    }
    const charge = this.chargeCount;
    const actual = this.books.charges[charge];
    const about = { at: iso(this.nowMs), number: this.payments.indexOf(payment), amount: payment.value };
    check(actual !== undefined, 'a charge is made', about);
    check(
      actual.payment === about.number && actual.amount === about.amount,
      'a charge is of its payment and amount',
      { expected: about, actual },
    );
    const late = actual.createdAt - Math.min(this.nowMs, this.pressedAt ?? this.nowMs);
    check(late >= 0 && late <= DELAY_MS, 'a charge is made at its time', {
      expected: about,
      at: iso(actual.createdAt),
    });
    this.chargeCount += 1;
    this.underWay.push({
      payment,
      charge,
      card,
      cardCount,
      createdAt: actual.createdAt,
    });
  }

  protected settlePaid(payment: Payment): void {
    payment.status = 'PAID';
    if (this.isEnded) return;
    if (payment.type === 'update') this.hold(payment);
    if (payment.type !== 'interval') return;
    if (this.status === 'trialing') this.status = 'active';
    else this.settleOwed();
  }

  /** One period less is owed: a run is over with the last that it has tried, a debt with the last of all. */
  protected settleOwed(): void {
    const open = this.payments.filter(
      ({ type, status }) => type === 'interval' && ['PENDING', 'FAILED', 'UNPAID'].includes(status),
    );
    if (open.length === 0) this.settleNothing();
    else if (this.status === 'paused' && open.every(({ status }) => status === 'UNPAID')) this.run = null;
  }

  /** Nothing is owed any more. */
  private settleNothing(): void {
    if (this.status === 'past_due') {
      this.status = 'active';
      this.run = null;
    } else if (this.status === 'unpaid') {
      this.status = 'active';
      this.run = null;
      this.start = boundaryBefore(this.anchor, this.interval, this.nowMs);
      this.end = boundaryAfter(this.anchor, this.interval, this.nowMs);
    } else if (this.status === 'paused') {
      this.run = null;
      if (!this.isResuming) return;
      this.status = this.trialEnd !== null && this.trialEnd > this.nowMs ? 'trialing' : 'active';
      this.pause = null;
    }
  }

  protected get isResuming(): boolean {
    return this.pause?.resumeAt != null && this.pause.resumeAt <= this.nowMs;
  }

  protected settleFailed({ payment, card, cardCount, createdAt }: UnderWay, settledAt: number): void {
    const isOwnCard = cardCount === this.cardCount;
    // Nobody is there to authenticate a renewal, and nobody at the next try of it either.
    const isHard = isOwnCard && (card === 'hard' || card === 'auth');
    if (payment.type === 'interval' && isOwnCard) this.stopCollecting();
    payment.status = this.isEnded ? 'CANCELLED' : 'FAILED';
    if (this.isEnded) return;
    if (payment.type === 'update') {
      if (settledAt >= createdAt + ACTION_MS) payment.status = 'EXPIRED';
      this.drop(payment);
    }
    if (payment.type !== 'interval') return;
    const isTry = cardCount !== NOT_STORED && this.run?.retryAt == null;
    if (this.status === 'trialing' || this.status === 'active') {
      this.status = 'past_due';
      this.run = this.beginRun(this.nowMs, isHard);
    } else if (this.status === 'past_due' && this.run) {
      this.run.hard ||= isHard;
      if (isTry) this.failRun(this.run, this.nowMs);
    } else if (this.status === 'paused' && this.pause) {
      if (isTry) this.failInPause(this.pause.at, isHard);
      else if (this.run) this.run.hard ||= isHard;
    }
  }

  /** A try that was under way when the pause began: the time of its run stands still until the pause is over. */
  private failInPause(pausedAt: number, isHard: boolean): void {
    const { run } = this;
    if (run === null) this.run = this.beginRun(pausedAt, isHard);
    else if (run.failures < RETRY_DAYS.length) {
      run.hard ||= isHard;
      this.failRun(run, pausedAt);
    } else Object.assign(run, { hard: true, retryAt: pausedAt });
    if (this.isResuming) this.endPause();
  }

  /** The subscription ends: what is not under way is off, and what waits lapses. */
  close(): void {
    this.status = 'canceled';
    this.endedAt = this.nowMs;
    const open = ['FAILED', 'UNPAID'];
    for (const payment of this.payments) if (open.includes(payment.status)) payment.status = 'CANCELLED';
    this.waiting = [];
    this.pending = null;
    this.scheduled = null;
    this.pause = null;
    this.run = null;
  }

  /** The payment that a change of plan has waited for is paid. */
  protected abstract hold(payment: Payment): void;
  /** The change comes to nothing: what had waited waits again. */
  abstract drop(payment: Payment): void;
}
