/** What a merchant asks of a subscription. */

import { type Behavior, check, isEqual, type PauseBehavior, type Plan } from './books.ts';
import { catchUp, DAY_MS, type Lives, path, pick, Step } from './lives.ts';
import { sum } from './money.ts';
import type { World } from './world.ts';

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
    const returned = preview.returns.map(({ amount }: { amount: number }) => amount);
    check(sum(returned) === preview.amountReturned, 'what is returned adds up', preview);
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
    await catchUp(lives, world);
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
    await catchUp(lives, world);
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
    model.settleTaken(await world.books(life.number));
    if (this.withRefund)
      for (const { payment, amount } of model.unusedRefunds(endedAt)) model.giveBack(payment, amount);
    model.close();
    // A charge that waits for the buyer can be stopped; one that the processor does not tell of goes on.
    for (const { payment } of waiting) payment.status = 'CANCELLED';
  }
}
