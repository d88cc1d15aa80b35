/** The service that is simulated, with the faults that can be put into it, and its books as the model reads them. */
import { inScope } from '../../src/db/scope.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import type { Answer, TestApp } from '../support/harness.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';
import { type Books, check } from './books.ts';
import type { Interval } from './calendar.ts';
import type { Discount } from './money.ts';

export interface Offer {
  id: string;
  price: number;
  interval: Interval;
  trialDays: number | null;
}

export type Fault =
  /** The call never reaches the processor. */
  | 'lost_call'
  /** The processor does it, and its answer is lost. */
  | 'lost_answer'
  /** The worker dies between its transaction and the call. */
  | 'killed_before_call'
  /** The worker dies in the middle of a transaction. */
  | 'killed_in_transaction';

const CATALOGUE = [
  { price: 1000, unit: 'month', count: 1 },
  { price: 2999, unit: 'month', count: 1 },
  { price: 501, unit: 'week', count: 1 },
  { price: 9001, unit: 'year', count: 1 },
  { price: 2750, unit: 'month', count: 3 },
  { price: 1333, unit: 'month', count: 1, trialDays: 14 },
] as const;
export const OFFERS = CATALOGUE.length;

const CODES = [
  { code: 'HALF-ONCE', kind: 'percentage', amount: 50, duration: 'once', limit: 1 },
  { code: 'EIGHTH-THRICE', kind: 'percentage', amount: 12.5, duration: 'repeating', limit: 3 },
  { code: 'SEVEN-TWICE', kind: 'fixed', amount: 700, duration: 'repeating', limit: 2 },
  { code: 'THIRD-FOREVER', kind: 'percentage', amount: 33, duration: 'forever', limit: Infinity },
  { code: 'FREE-ONCE', kind: 'percentage', amount: 100, duration: 'once', limit: 1 },
] as const;
export const DISCOUNTS = CODES.length;

export class World {
  readonly app: TestApp;
  offers: Offer[] = [];
  readonly discounts: readonly Discount[] = CODES;
  private armed: { fault: Fault; after: number } | null = null;
  /** Once a buyer has moved nothing breaks any more: a refund that is sent late is no other outcome. */
  private isCalm = false;
  private isAdvancing = false;
  /** Of each subscription, the ids of its charges as they were first seen. */
  private readonly appeared = new Map<string, Set<string>>();
  private counter = 0;
  private readonly restore: Array<() => void> = [];

  constructor(app: TestApp) {
    this.app = app;
    this.wrap();
  }

  get store() {
    return this.app.test;
  }

  /** An empty store at a moment of the next years, so that every month end comes up. */
  async begin({ startDay, isTaxed }: { startDay: number; isTaxed: boolean }): Promise<void> {
    const { service } = this.app;
    this.armed = null;
    this.isCalm = false;
    await service.clock.reset(this.store.scope);
    const { body } = await this.store.patch('/v0/settings/update', {
      taxCollection: isTaxed ? 'everywhere' : 'off',
    });
    check(body.status === 'success', 'the settings are taken', body);
    const year = new Date(service.realNowMs()).getUTCFullYear() + 1;
    await this.advanceTo(Date.UTC(year, 0, 1 + startDay, 13, 7));
    const productId = await makeProduct(this.store, { type: 'Subscription', name: 'Club' });
    this.offers = [];
    for (const { price, unit, count, ...rest } of CATALOGUE) {
      const trialDays = 'trialDays' in rest ? rest.trialDays : null;
      const id = await makeOffer(this.store, {
        productId,
        price,
        recurringInterval: unit,
        recurringIntervalCount: count,
        ...(trialDays === null ? {} : { trialInterval: 'day', trialIntervalCount: trialDays }),
      });
      this.offers.push({ id, price, interval: { unit, count }, trialDays });
    }
    await this.makeDiscounts();
  }

  private async makeDiscounts(): Promise<void> {
    for (const { code, kind, amount, duration, limit } of CODES) {
      await this.ask(
        this.store.post('/v0/discounts/create', {
          type: 'code',
          discountCode: code,
          includesAllOffers: true,
          amountType: kind,
          amount,
          duration,
          ...(kind === 'fixed' ? { currency: 'EUR' } : {}),
          ...(duration === 'repeating' ? { durationIntervals: limit } : {}),
        }),
      );
    }
  }

  nextEmail(): string {
    this.counter += 1;
    return `buyer-${this.counter}@example.com`;
  }

  async now(): Promise<number> {
    const { service } = this.app;
    const { offsetMs } = await getClock(service.db, this.store.scope);
    return service.realNowMs() + offsetMs;
  }

  async advanceTo(toMs: number): Promise<void> {
    this.isAdvancing = true;
    try {
      await this.app.service.clock.advance(this.store.scope, toMs);
    } finally {
      this.isAdvancing = false;
    }
  }

  /** The next fault comes after this many chances for it. */
  arm(fault: Fault, after: number): void {
    if (!this.isCalm) this.armed = { fault, after };
  }

  calm(): void {
    this.isCalm = true;
    this.disarm();
  }

  disarm(): void {
    this.armed = null;
  }

  async payOnPage(paymentId: string, body: Record<string, unknown>): Promise<void> {
    const { payToken } = await this.app.service.db
      .selectFrom('payments')
      .select('payToken')
      .where(inScope(this.store.scope))
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow();
    const path = `/payment-pages/${payToken}/pay`;
    await this.ask(this.store.request('POST', path, { keys: 'none', body }));
  }

  close(): void {
    for (const undo of this.restore) undo();
  }

  /** Expects the answer to be a success. */
  async ask(request: Promise<Answer>): Promise<Answer['body']['data']> {
    const { status, text, body } = await request;
    check(status === 200, 'the request is done', text);
    return body.data;
  }

  async refused(request: Promise<Answer>, code?: string): Promise<void> {
    const { status, text, body } = await request;
    check(status === 409, 'the request is refused for the state', text);
    check(code === undefined || body.error.code === code, `the refusal is ${code}`, text);
  }

  async row(number: string) {
    return this.app.service.db
      .selectFrom('subscriptions')
      .selectAll()
      .where(inScope(this.store.scope))
      .where('number', '=', number)
      .executeTakeFirstOrThrow();
  }

  async order(id: string) {
    const { status, refundedValue, value, tax, fee, currency } = await this.app.service.db
      .selectFrom('orders')
      .select(['status', 'refundedValue', 'value', 'tax', 'fee', 'currency'])
      .where(inScope(this.store.scope))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const amounts = { value: Number(value), tax: Number(tax), fee: Number(fee), currency };
    return { status, refundedValue: Number(refundedValue), amounts };
  }

  async books(number: string): Promise<Books & { ids: string[]; chargeIds: string[] }> {
    const { db } = this.app.service;
    const { id } = await this.row(number);
    const payments = await db
      .selectFrom('payments')
      .select(['id', 'number', 'type', 'status', 'value', 'refundedValue', 'periodStart', 'periodEnd'])
      .where(inScope(this.store.scope))
      .where('subscriptionId', '=', id)
      .execute();
    const position = (of: string) => Number(of.split('-')[1] ?? 0);
    payments.sort((a, b) => position(a.number) - position(b.number));
    const ids = payments.map((payment) => payment.id);
    const found = await db
      .selectFrom('charges')
      .select(['id', 'paymentId', 'status', 'amount', 'createdAt', 'settledAt'])
      .where(inScope(this.store.scope))
      .where('paymentId', 'in', ids)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    const charges = this.inOrderOfAppearance(number, found);
    const chargeIds = charges.map((charge) => charge.id);
    const disputes = await db
      .selectFrom('disputes')
      .select(['chargeId', 'status', 'amount', 'openedAt', 'closedAt'])
      .where(inScope(this.store.scope))
      .where('paymentId', 'in', ids)
      .execute();
    return {
      ids,
      chargeIds,
      disputes: disputes.map(({ chargeId, amount, ...rest }) => ({
        ...rest,
        charge: chargeIds.indexOf(chargeId),
        amount: Number(amount),
      })),
      payments: payments.map(({ value, refundedValue, periodStart, periodEnd, type, status }) => ({
        type,
        status,
        value: Number(value),
        refunded: Number(refundedValue),
        start: periodStart,
        end: periodEnd,
      })),
      charges: charges.map(({ paymentId, amount, status, createdAt, settledAt }) => ({
        payment: ids.indexOf(paymentId),
        status: status as 'pending' | 'succeeded' | 'failed',
        amount: Number(amount),
        createdAt,
        settledAt,
      })),
    };
  }

  /** What fell due before an operation, and is done after it, bears the earlier moment. */
  private inOrderOfAppearance<Row extends { id: string }>(number: string, found: readonly Row[]): Row[] {
    const known = this.appeared.get(number) ?? new Set();
    for (const { id } of found) known.add(id);
    this.appeared.set(number, known);
    const places = [...known];
    return found.toSorted((a, b) => places.indexOf(a.id) - places.indexOf(b.id));
  }

  private takes(...faults: Fault[]): boolean {
    if (!this.armed || !faults.includes(this.armed.fault)) return false;
    if (this.armed.after > 0) {
      this.armed.after -= 1;
      return false;
    }
    this.armed = null;
    return true;
  }

  private wrap(): void {
    const { payments, ids } = this.app.service;
    const { sandbox } = payments;
    const { charge } = sandbox;
    const { openSandbox } = payments;
    const { next } = ids;
    sandbox.charge = async (request) => {
      if (this.takes('lost_call')) throw new Error('the call was lost');
      const outcome = await charge(request);
      if (this.takes('lost_answer')) throw new Error('the answer was lost');
      return outcome;
    };
    payments.openSandbox = () => {
      if (this.isAdvancing && this.takes('killed_before_call')) throw new Error('the worker was killed');
      return openSandbox();
    };
    ids.next = (nowMs) => {
      if (this.isAdvancing && this.takes('killed_in_transaction')) throw new Error('the worker was killed');
      return next(nowMs);
    };
    this.restore.push(() => Object.assign(sandbox, { charge }));
    this.restore.push(() => Object.assign(payments, { openSandbox }));
    this.restore.push(() => Object.assign(ids, { next }));
  }
}
