/** All that the model knows of a subscription, from its purchase on. */
import {
  type Beginning,
  type Books,
  type Card,
  DAY_MS,
  type PauseBehavior,
  type Payment,
  type Plan,
  RETRY_DAYS,
  type Run,
  type UnderWay,
  type Waited,
} from './books.ts';
import type { Interval } from './calendar.ts';
import { Disputes } from './disputes.ts';
import type { Discount, Line } from './money.ts';
import { OrderModel } from './order-model.ts';
import { leftOf, lowered, roomOf, sourcesOf } from './period-books.ts';

/** Where every buyer begins. */
export const HOME = 'DE';

export abstract class SubscriptionState {
  status: string;
  plan: Plan;
  card: Card;
  anchor: number;
  start: number;
  end: number;
  trialEnd: number | null;
  isEnding = false;
  protected endedAt: number | null = null;
  scheduled: Plan | null = null;
  pending: Waited | null = null;
  pause: { behavior: PauseBehavior; at: number; resumeAt: number | null } | null = null;
  run: Run | null = null;
  waiting: Line[] = [];
  /** Its order follows this one. */
  readonly first: Payment;
  payments: Payment[];
  underWay: UnderWay[] = [];
  isCollecting = false;
  readonly order: OrderModel;
  readonly disputes = new Disputes();
  /** Typed on a page: it pays what else is owed, also where it is not kept. */
  protected typedCard: Card | null = null;
  /** When the buyer pressed for what is being collected: all of its charges may bear that moment. */
  protected pressedAt: number | null = null;
  protected readonly discount: Discount | null;
  /** Periods that it has lowered, or would have. */
  protected uses: number;
  protected cardCount = 0;
  /** Stored cards that it was charged by, and by which of them each payment was. */
  protected methodCount = 0;
  private readonly tried = new Map<Payment, Set<number>>();
  protected chargeCount = 0;
  /** Cards that have paid, and cards that have worked at all. */
  protected readonly paidCards = new Set<Card>();
  readonly isTaxed: boolean;
  /** Where the buyer is: a country, whose tax is 0. */
  place = HOME;
  protected books: Books = { payments: [], charges: [], disputes: [] };
  protected nowMs: number;

  constructor(beginning: Beginning) {
    const { plan, card, trialEnd, anchor, start, end, value, charges, isTaxed, amounts } = beginning;
    this.card = card;
    this.trialEnd = trialEnd;
    this.anchor = anchor;
    this.start = start;
    this.end = end;
    this.nowMs = start;
    this.isTaxed = isTaxed;
    this.status = trialEnd === null ? 'active' : 'trialing';
    this.discount = beginning.discount;
    this.uses = trialEnd === null ? 1 : 0;
    const { place } = this;
    this.plan = { ...plan, items: plan.items.map((item) => ({ ...item, place })) };
    const lines = trialEnd === null ? [{ total: value, from: start, to: end, place, at: start }] : [];
    const paid = { status: 'PAID', value, refunded: 0, start, end, lines, carried: [], backs: [] };
    this.first = { type: 'initial', ...paid };
    this.payments = [this.first];
    this.order = new OrderModel(amounts);
    if (value > 0) this.paidCards.add(card);
    this.chargeCount = charges.length;
    const [charge] = charges;
    if (card === 'disputed' && value > 0 && charge?.settledAt != null) {
      const { createdAt, settledAt } = charge;
      this.disputes.await({ payment: this.first, charge: 0, createdAt, settledAt });
    }
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

  /** Money goes back, whoever sends it: for these credits, or because it was asked for, which lowers what waits. */
  giveBack(payment: Payment, amount: number, credits: Line[] | null = null): void {
    payment.backs.push({ amount, credits });
    payment.refunded += amount;
    payment.status = payment.refunded === payment.value ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    if (payment === this.first) this.order.follow(payment);
    if (credits === null) this.lowerCredits();
  }

  /** Every item of the plan is billed where the buyer is. */
  protected billed({ items, interval }: Plan): Plan {
    return { interval, items: items.map((item) => ({ ...item, place: this.place })) };
  }

  /** Where no charge above 0 bears the tax of a credit. */
  protected unborneOf(credits: readonly Line[], charges: readonly Line[]): Set<string> {
    const borne = new Set(charges.filter(({ total }) => total > 0).map(({ place }) => place));
    const places = credits.filter(({ total }) => total < 0).map(({ place }) => place);
    // With tax the buyers stay where they are, and the sums are the service's own.
    return new Set(this.isTaxed ? [] : places.filter((place) => !borne.has(place)));
  }

  protected lowerCredits(): void {
    // With tax the sums are the service's own.
    if (this.isTaxed) return;
    for (const end of new Set(this.waiting.map(({ to }) => to))) {
      this.waiting = lowered(this.waiting, end, -roomOf(end, this.payments, this.waiting));
    }
  }

  /** More lines wait; in the order in which they came to be. */
  protected wait(lines: readonly Line[]): void {
    this.waiting = [...this.waiting, ...lines]
      .filter(({ total }) => total !== 0)
      .toSorted((a, b) => a.at - b.at);
  }

  /** Credits of these places lower nothing any more: they go back to the payments that they came from. */
  protected payBack(places: ReadonlySet<string>): void {
    this.waiting = this.waiting.map((credit) => {
      if (credit.total >= 0 || !places.has(credit.place)) return credit;
      let { total } = credit;
      for (const payment of sourcesOf(credit.to, this.payments)) {
        if (this.disputes.isOpen(payment)) continue;
        const left = Math.min(payment.value - payment.refunded, leftOf(payment, credit.place));
        const amount = Math.min(-total, left);
        if (amount <= 0) continue;
        this.giveBack(payment, amount, [{ ...credit, total: -amount }]);
        total += amount;
      }
      return { ...credit, total };
    });
    this.wait([]);
  }

  protected beginRun(startedAt: number, hard: boolean): Run {
    const run = { startedAt, failures: 0, hard, retryAt: null };
    this.failRun(run, startedAt);
    return run;
  }

  protected failRun(run: Run, at: number): void {
    const days = RETRY_DAYS[run.failures];
    if (days === undefined) {
      this.status = 'unpaid';
      return;
    }
    run.failures += 1;
    run.retryAt = at + days * DAY_MS;
  }

  protected noteTry(payment: Payment): void {
    this.tried.set(payment, new Set([...(this.tried.get(payment) ?? []), this.methodCount]));
  }

  /** Whether what its run is about was charged by the stored card of now. */
  protected isCardTried(): boolean {
    const open = this.payments.filter(
      ({ type, status }) => type === 'interval' && (status === 'PENDING' || status === 'FAILED'),
    );
    return open.some((payment) => this.tried.get(payment)?.has(this.methodCount));
  }
}
