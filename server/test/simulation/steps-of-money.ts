/** Refunds, charges and cards, and what breaks. */
import { authenticateCharge, card as typed } from '../support/buying.ts';
import { type Card, check, type Payment } from './books.ts';
import { CARDS, catchUp, compare, type Lives, path, pick, Step } from './lives.ts';
import type { Fault, World } from './world.ts';

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
    const request = world.store.post(`/v0/orders/${life.orderId}/refunds`, body);
    if (model.disputes.isOpen(payment)) {
      await world.refused(request, 'payment_disputed');
      return;
    }
    await world.ask(request);
    model.giveBack(payment, amount);
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
    await catchUp(lives, world);
  }
}

/** The buyer pays on the page that a mail of the dunning run links to. */
export class PayOnPage extends Step {
  protected readonly label: string;
  private readonly how: { life: number; payment: number; card: Card; isKept: boolean };
  constructor(how: PayOnPage['how']) {
    super();
    this.how = how;
    this.label = `payOnPage(${JSON.stringify(how)})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const { model, number } = pick(lives, this.how.life);
    const { card, isKept } = this.how;
    // A change of plan that was declined is over, and a charge under way is another page.
    const places = model.payments.flatMap(({ type, status }, place) =>
      type !== 'update' && (status === 'FAILED' || status === 'UNPAID') ? [place] : [],
    );
    const place = places[this.how.payment % Math.max(places.length, 1)];
    const payment = place === undefined ? undefined : model.payments[place];
    if (place === undefined || payment === undefined || model.underWay.length > 0) return;
    const { ids } = await world.books(number);
    const target = model.targetOf(payment);
    // What becomes of a typed card whose answer is lost depends on where it was lost.
    world.disarm();
    const nowMs = Math.max(await world.now(), lives.untilMs);
    await world.payOnPage(ids[place] ?? '', { card: typed(CARDS[card]), keep: isKept });
    model.payOnPage(await world.books(number), target, { card, isKept, nowMs });
    await catchUp(lives, world);
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
    const { status } = await authenticateCharge(
      world.app,
      String(chargeIds[way.charge]),
      this.isApproved ? 'approve' : 'reject',
    );
    check(status !== undefined && status < 400, 'the bank takes the answer', { status });
  }
}

/** The buyer moves to another country, whose tax is another one, though it is 0 as well. */
export class Move extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly place: string;
  constructor(life: number, place: string) {
    super();
    this.life = life;
    this.place = place;
    this.label = `move(${life}, ${place})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const { model, userId } = pick(lives, this.life);
    // With tax the sums are the service's own, and the model cannot tell what goes back.
    if (lives.isTaxed || model.isEnded) return;
    world.calm();
    await catchUp(lives, world);
    await compare(world, lives);
    const billingDetails = { countryCode: this.place };
    await world.ask(world.store.patch(`/v0/users/${userId}/update`, { billingDetails }));
    model.place = this.place;
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
    const waiting = model.underWay.filter(({ card }) => card === 'auth').map(({ payment }) => payment);
    const places = model.payments.flatMap((payment, place) =>
      payment.status === 'UNPAID' || waiting.includes(payment) ? [place] : [],
    );
    const place = places[this.payment % Math.max(places.length, 1)];
    const payment = place === undefined ? undefined : model.payments[place];
    if (place === undefined || payment === undefined) return;
    const { ids } = await world.books(number);
    await world.ask(world.store.post(`/v0/payments/${ids[place]}/cancel`, {}));
    model.callOff(payment);
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
