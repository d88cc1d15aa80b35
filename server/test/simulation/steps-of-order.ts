/** What a merchant does with the order behind a subscription. */
import { catchUp, type Life, type Lives, pick, Step } from './lives.ts';
import type { Correction } from './order-model.ts';
import type { World } from './world.ts';

/** It keeps its money, and its subscription ends. */
export class CancelOrder extends Step {
  protected readonly label: string;
  private readonly life: number;
  constructor(life: number) {
    super();
    this.life = life;
    this.label = `cancelOrder(${life})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const request = world.store.patch(`/v0/orders/${life.orderId}/cancel`, {});
    if (!life.model.order.canBeCancelled) {
      await world.refused(request, 'order_state');
      return;
    }
    await world.ask(request);
    life.model.order.correct({ status: 'CANCELLED' });
    await endWithOrder(life, lives, world);
  }
}

export class CorrectOrder extends Step {
  protected readonly label: string;
  private readonly life: number;
  private readonly correction: Correction;
  constructor(life: number, correction: Correction) {
    super();
    this.life = life;
    this.correction = correction;
    this.label = `correctOrder(${life}, ${JSON.stringify(correction)})`;
  }
  protected async take(lives: Lives, world: World): Promise<void> {
    const life = pick(lives, this.life);
    const { model, orderId } = life;
    const { correction } = this;
    const { order, first } = model;
    const request = world.store.patch(`/v0/orders/${orderId}/update`, correction);
    if (!order.accepts(correction, first, model.disputes.isOpen(first))) {
      await world.refused(request);
      return;
    }
    await world.ask(request);
    const isChanged = correction.status !== undefined && correction.status !== order.status;
    order.correct(correction);
    if (!isChanged) return;
    const left = first.value - first.refunded;
    if (correction.status === 'REFUNDED' && left > 0) model.giveBack(first, left);
    if (correction.status === 'CANCELLED') await endWithOrder(life, lives, world);
  }
}

/** A charge that waits for its buyer is stopped by the worker. */
async function endWithOrder({ model }: Life, lives: Lives, world: World): Promise<void> {
  if (!model.isEnded) model.close();
  await catchUp(lives, world);
}
