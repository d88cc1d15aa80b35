/**
 * What a subscription should have done, in plain numbers: an account of its own of the periods, retries and
 * payments, written from the specification. It is laid beside what the store really holds: each charge that it
 * expects must be there, in this order, with this amount, and nothing else may be.
 */
import { boundaryAfter, boundaryAt, boundaryBefore, type Interval } from './calendar.ts';
import {
  compose,
  type Item,
  type Line,
  priceOf,
  prorate,
  type Span,
  share,
  sum,
  totalOf,
  unusedRest,
} from './money.ts';

export type Card = 'visa' | 'soft' | 'hard' | 'once' | 'unknown' | 'auth';

/** What the store holds of a subscription, in the order in which it came into being. */
export interface Books {
  payments: ActualPayment[];
  charges: ActualCharge[];
}
export interface ActualPayment {
  type: string;
  status: string;
  value: number;
  refunded: number;
  start: number | null;
  end: number | null;
}
export interface ActualCharge {
  /** Place of its payment among the payments. */
  payment: number;
  status: 'pending' | 'succeeded' | 'failed';
  amount: number;
  createdAt: number;
  settledAt: number | null;
}

export interface Payment {
  type: 'initial' | 'interval' | 'update' | 'extra';
  status: string;
  value: number;
  refunded: number;
  start: number | null;
  end: number | null;
  lines: Line[];
  carried: Line[];
}

export interface Plan {
  items: Item[];
  interval: Interval;
}

interface Waited {
  payment: Payment;
  plan: Plan;
  /** Lines that wait for the next payment once the change holds. */
  unplaced: Line[];
  startsAnew: boolean;
}

interface Run {
  startedAt: number;
  failures: number;
  hard: boolean;
  /** Null = in the middle of a day of it. */
  retryAt: number | null;
}

interface UnderWay {
  payment: Payment;
  charge: number;
  card: Card;
  cardCount: number;
  createdAt: number;
}

export interface Beginning {
  plan: Plan;
  card: Card;
  trialEnd: number | null;
  anchor: number;
  start: number;
  end: number;
  value: number;
  /** So far. */
  charges: number;
  isTaxed: boolean;
}

const DAY_MS = 86_400_000;
const RETRY_DAYS = [2, 5, 7, 7];
/** A lost answer or a dead worker delays a step by no more than this. */
export const DELAY_MS = 15 * 60_000;
const ACTION_MS = DAY_MS;

export type Behavior = 'create_prorations' | 'always_invoice' | 'none';
export type PauseBehavior = 'void' | 'keep_as_draft' | 'mark_uncollectible';

export class SubscriptionModel {
  status: string;
  plan: Plan;
  card: Card;
  anchor: number;
  start: number;
  end: number;
  trialEnd: number | null;
  isEnding = false;
  scheduled: Plan | null = null;
  pending: Waited | null = null;
  pause: { behavior: PauseBehavior; at: number; resumeAt: number | null } | null = null;
  run: Run | null = null;
  waiting: Line[] = [];
  payments: Payment[];
  underWay: UnderWay[] = [];
  isCollecting = false;
  private cardCount = 0;
  private chargeCount = 0;
  /** Cards that have paid, and cards that have worked at all. */
  private readonly paidCards = new Set<Card>();
  private readonly isTaxed: boolean;
  private books: Books = { payments: [], charges: [] };
  private nowMs: number;

  constructor({ plan, card, trialEnd, anchor, start, end, value, charges, isTaxed }: Beginning) {
    this.plan = plan;
    this.card = card;
    this.trialEnd = trialEnd;
    this.anchor = anchor;
    this.start = start;
    this.end = end;
    this.nowMs = start;
    this.isTaxed = isTaxed;
    this.status = trialEnd === null ? 'active' : 'trialing';
    const lines = trialEnd === null ? [{ total: value, from: start, to: end }] : [];
    const paid = { status: 'PAID', value, refunded: 0, start, end, lines, carried: [] };
    this.payments = [{ type: 'initial', ...paid }];
    if (value > 0) this.paidCards.add(card);
    this.chargeCount = charges;
  }

  get isEnded(): boolean {
    return this.status === 'canceled';
  }

  get owed(): Payment[] {
    return this.payments.filter(
      ({ type, status }) => type === 'interval' && (status === 'FAILED' || status === 'UNPAID'),
    );
  }

  get isCharging(): boolean {
    return this.underWay.some(({ payment }) => payment.type === 'interval');
  }

  get interval(): Interval {
    return this.plan.interval;
  }

  /** Does everything that falls due up to a moment, and settles what the store has settled. */
  replay(books: Books, untilMs: number): void {
    this.books = books;
    for (;;) {
      if (this.settleNext()) continue;
      const step = this.nextStep();
      if (step === null || step.at > untilMs) break;
      this.nowMs = Math.max(this.nowMs, step.at);
      step.take();
    }
    this.nowMs = Math.max(this.nowMs, untilMs);
    for (const { createdAt, card } of this.underWay) {
      const limit = card === 'auth' ? ACTION_MS + DELAY_MS : DELAY_MS;
      check(untilMs < createdAt + limit, `a charge of ${iso(createdAt)} settles in time`);
    }
    check(books.charges.length === this.chargeCount, 'no charge is made that was not to be made', {
      expected: this.chargeCount,
      charges: books.charges,
    });
  }

  private settleNext(): boolean {
    const index = this.underWay.findIndex(({ charge }) => this.books.charges[charge]?.settledAt !== null);
    const [way] = index < 0 ? [] : this.underWay.splice(index, 1);
    const actual = way && this.books.charges[way.charge];
    if (!way || !actual || actual.settledAt === null) return false;
    this.nowMs = Math.max(this.nowMs, actual.settledAt);
    const isPaid = actual.status === 'succeeded';
    const expected = this.outcomeOf(way, actual.settledAt);
    check(
      expected === 'any' || isPaid === (expected === 'paid'),
      `a charge of ${way.card} is ${expected}`,
      actual,
    );
    if (isPaid) {
      this.paidCards.add(way.card);
      this.settlePaid(way.payment);
    } else this.settleFailed(way, actual.settledAt);
    return true;
  }

  private outcomeOf({ card, payment, createdAt }: UnderWay, settledAt: number): 'paid' | 'declined' | 'any' {
    switch (card) {
      case 'visa':
      case 'unknown':
        return 'paid';
      case 'soft':
      case 'hard':
        return 'declined';
      case 'once':
        return this.paidCards.has('once') ? 'declined' : 'paid';
      case 'auth':
        if (this.paidCards.has('auth')) return 'paid';
        if (payment.type === 'interval' || settledAt >= createdAt + ACTION_MS) return 'declined';
        return 'any';
    }
  }

  private nextStep(): { at: number; take: () => void } | null {
    if (this.isEnded || this.isCharging) return null;
    if (this.isCollecting) return { at: this.nowMs, take: () => this.collect() };
    const boundary = this.boundaryStep();
    const other = this.otherStep();
    if (!boundary || !other) return boundary ?? other;
    return boundary.at < other.at ? boundary : other;
  }

  private otherStep() {
    const { pause, run } = this;
    if (this.status === 'paused' && pause?.resumeAt)
      return { at: pause.resumeAt, take: () => this.endPause() };
    if (this.status === 'past_due' && run) {
      return { at: run.retryAt ?? this.nowMs, take: () => (run.hard ? this.failRun(run) : this.retry(run)) };
    }
    return null;
  }

  private boundaryStep() {
    const at = this.end;
    // Which plan the next period is of is known once the change is paid for or off.
    if (this.pending !== null && !this.isEnding) return null;
    if (this.isEnding) return { at, take: () => this.close() };
    if (this.status === 'paused') return { at, take: () => this.pass() };
    return this.status === 'unpaid' ? null : { at, take: () => this.renew() };
  }

  private collect(): void {
    const [oldest] = this.owed;
    const isOwing = this.status === 'past_due' || this.status === 'unpaid';
    if (!oldest || !isOwing) this.isCollecting = false;
    else this.charge(oldest);
  }

  private retry(run: Run): void {
    const [oldest] = this.owed;
    if (!oldest) {
      this.settleNothing();
      return;
    }
    run.retryAt = null;
    this.charge(oldest);
  }

  private endPause(): void {
    const { pause, run } = this;
    if (run) {
      const pausedFor = this.nowMs - (pause?.at ?? this.nowMs);
      run.retryAt = (run.retryAt ?? pause?.at ?? this.nowMs) + pausedFor;
      run.startedAt += pausedFor;
      this.status = 'past_due';
      this.pause = null;
      return;
    }
    const [oldest] = this.owed;
    if (oldest) this.charge(oldest);
    else this.settleNothing();
  }

  private pass(): void {
    this.startScheduled();
    const behavior = this.pause?.behavior;
    if (behavior === 'keep_as_draft') this.writeInterval('UNPAID', this.waiting);
    if (behavior === 'mark_uncollectible') this.writeInterval('CANCELLED', null);
    this.moveOn();
  }

  private renew(): void {
    this.startScheduled();
    const isWaiting = this.owed.length > 0;
    const payment = this.writeInterval('UNPAID', this.waiting);
    this.moveOn();
    if (payment.value === 0 || !isWaiting) this.charge(payment);
  }

  private startScheduled(): void {
    if (this.scheduled === null) return;
    this.plan = this.scheduled;
    this.scheduled = null;
    this.anchor = this.end;
  }

  private moveOn(): void {
    const start = this.end;
    this.end = boundaryAfter(this.anchor, this.interval, start);
    this.start = start;
  }

  /** `waiting` null = what waits goes on waiting. */
  private writeInterval(status: string, waiting: Line[] | null): Payment {
    const start = this.end;
    const end = boundaryAfter(this.anchor, this.interval, start);
    const own = this.plan.items.map(({ price, quantity }) => ({
      total: price * quantity,
      from: start,
      to: end,
    }));
    const put = compose(own, waiting ?? []);
    if (waiting !== null) this.waiting = [...put.waiting, ...put.unplaced];
    return this.write('interval', { ...put, status, start, end });
  }

  write(
    type: Payment['type'],
    {
      value,
      lines,
      carried,
      status,
      start,
      end,
    }: Pick<Payment, 'value' | 'lines' | 'carried' | 'status' | 'start' | 'end'>,
  ): Payment {
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

  charge(payment: Payment): void {
    payment.status = 'PENDING';
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
    const late = actual.createdAt - this.nowMs;
    check(late >= 0 && late <= DELAY_MS, 'a charge is made at its time', {
      expected: about,
      at: iso(actual.createdAt),
    });
    this.chargeCount += 1;
    this.underWay.push({
      payment,
      charge,
      card: this.card,
      cardCount: this.cardCount,
      createdAt: actual.createdAt,
    });
  }

  private settlePaid(payment: Payment): void {
    payment.status = 'PAID';
    if (this.isEnded) return;
    if (payment.type === 'update') this.hold(payment);
    if (payment.type !== 'interval') return;
    if (this.status === 'trialing') this.status = 'active';
    else if (this.owed.length === 0) this.settleNothing();
  }

  /** Nothing is owed any more. */
  settleNothing(): void {
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

  private get isResuming(): boolean {
    return this.pause?.resumeAt != null && this.pause.resumeAt <= this.nowMs;
  }

  private settleFailed({ payment, card, cardCount, createdAt }: UnderWay, settledAt: number): void {
    if (payment.type === 'interval' && cardCount === this.cardCount) this.isCollecting = false;
    payment.status = this.isEnded ? 'CANCELLED' : 'FAILED';
    if (this.isEnded) return;
    if (payment.type === 'update') {
      if (settledAt >= createdAt + ACTION_MS) payment.status = 'EXPIRED';
      this.drop(payment);
    }
    if (payment.type !== 'interval') return;
    const isFirst =
      this.status === 'trialing' || this.status === 'active' || (this.status === 'paused' && this.isResuming);
    if (isFirst) {
      this.status = 'past_due';
      this.pause = null;
      this.run = { startedAt: this.nowMs, failures: 0, hard: card === 'hard', retryAt: null };
      this.failRun(this.run);
    } else if (this.status === 'past_due' && this.run?.retryAt === null) {
      this.run.hard ||= card === 'hard';
      this.failRun(this.run);
    }
  }

  private failRun(run: Run): void {
    const days = RETRY_DAYS[run.failures];
    if (days === undefined) {
      this.status = 'unpaid';
      return;
    }
    run.failures += 1;
    run.retryAt = this.nowMs + days * DAY_MS;
  }

  /** The subscription ends: what is not under way is off, and what waits lapses. */
  close(): void {
    this.status = 'canceled';
    const open = ['FAILED', 'UNPAID'];
    for (const payment of this.payments) if (open.includes(payment.status)) payment.status = 'CANCELLED';
    this.waiting = [];
    this.pending = null;
    this.scheduled = null;
    this.pause = null;
    this.run = null;
  }

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

  private take(plan: Plan): void {
    this.plan = plan;
    this.scheduled = null;
  }

  private proceed(plan: Plan, behavior: Behavior, at: number): void {
    const lines = prorate(this.plan.items, plan.items, this.spanAt(at), this.worth);
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
    const own = plan.items.map(({ price, quantity }) => ({ total: price * quantity, from: start, to: end }));
    const put = compose([...own, ...unusedRest(this.plan.items, this.spanAt(at), this.worth)], this.waiting);
    this.waiting = put.waiting;
    const payment = this.write('update', { ...put, status: 'PENDING', start, end });
    this.pending = { payment, plan, unplaced: put.unplaced, startsAnew: true };
    this.charge(payment);
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
    this.cardCount += 1;
  }

  private hold(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    const { plan, unplaced, startsAnew } = this.pending;
    this.take(plan);
    this.waiting.push(...unplaced);
    this.pending = null;
    if (!startsAnew || payment.start === null || payment.end === null) return;
    this.anchor = payment.start;
    this.start = payment.start;
    this.end = payment.end;
  }

  /** The change comes to nothing: what had waited waits again. */
  drop(payment: Payment): void {
    if (this.pending?.payment !== payment) return;
    this.waiting.push(...payment.carried);
    this.pending = null;
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
      return amount > 0 ? [{ payment, amount }] : [];
    });
  }
}

export function isSamePlan(a: readonly Item[], b: readonly Item[]): boolean {
  const key = (items: readonly Item[]) =>
    items.map(({ offerId, quantity }) => `${offerId}:${quantity}`).toSorted();
  return JSON.stringify(key(a)) === JSON.stringify(key(b));
}

export function isEqual(a: Interval, b: Interval): boolean {
  return a.unit === b.unit && a.count === b.count;
}

export function refund(payment: Payment, amount: number): void {
  payment.refunded += amount;
  payment.status = payment.refunded === payment.value ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
}

export const intervalValue = (model: SubscriptionModel): number => priceOf(model.plan.items);

export const iso = (ms: number | null): string => (ms === null ? '-' : new Date(ms).toISOString());

/** Fails with what was found. */
export function check(isTrue: boolean, must: string, found?: unknown): asserts isTrue {
  if (!isTrue) throw new Error(`${must}${found === undefined ? '' : `: ${JSON.stringify(found)}`}`);
}
