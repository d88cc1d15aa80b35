/** All that the model knows of a subscription, from its purchase on. */
import type { Beginning, Books, Card, PauseBehavior, Payment, Plan, Run, UnderWay, Waited } from './books.ts';
import type { Interval } from './calendar.ts';
import { Disputes } from './disputes.ts';
import type { Discount, Line } from './money.ts';
import { OrderModel } from './order-model.ts';

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
  protected readonly discount: Discount | null;
  /** Periods that it has lowered, or would have. */
  protected uses: number;
  protected cardCount = 0;
  protected chargeCount = 0;
  /** Cards that have paid, and cards that have worked at all. */
  protected readonly paidCards = new Set<Card>();
  protected readonly isTaxed: boolean;
  protected books: Books = { payments: [], charges: [], disputes: [] };
  protected nowMs: number;

  constructor(beginning: Beginning) {
    const { plan, card, trialEnd, anchor, start, end, value, charges, isTaxed, amounts } = beginning;
    this.plan = plan;
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
    const lines = trialEnd === null ? [{ total: value, from: start, to: end }] : [];
    const paid = { status: 'PAID', value, refunded: 0, start, end, lines, carried: [] };
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

  /** Money goes back, whoever sends it. */
  giveBack(payment: Payment, amount: number): void {
    payment.refunded += amount;
    payment.status = payment.refunded === payment.value ? 'REFUNDED' : 'PARTIALLY_REFUNDED';
    if (payment === this.first) this.order.follow(payment);
  }
}
