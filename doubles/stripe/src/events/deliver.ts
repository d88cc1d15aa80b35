/** Sends events to the webhook endpoints, signed, when and as often as the control port says. */
import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import type { Row } from '../world/rows.ts';
import type { World } from '../world/world.ts';
import type { Delivery } from './emit.ts';

export interface DeliveryMode {
  deliver: 'before_answer' | 'late' | 'never' | 'now' | 'shuffled';
  repeat: number;
  signature: 'good' | 'old' | 'wrong';
}

const DEFAULT: DeliveryMode = { deliver: 'now', repeat: 1, signature: 'good' };
const LATE_MS = 3_000;
const SHUFFLE_MS = 200;
const TIMEOUT_MS = 20_000;
const OLD_S = 600;
const MINUTE_MS = 60_000;
/** After each try that failed, by the stand-in's clock; then it is given up. */
const RETRIES_MS = [1, 5, 30, 120, 300, 600, 720, 720, 720, 720].map((minutes) => minutes * MINUTE_MS);

export class Deliverer {
  readonly #world: World;
  readonly #flying = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(world: World) {
    this.#world = world;
    world.onDelivery = (id) => this.#take(id);
  }

  get mode(): DeliveryMode {
    return this.#world.store.get<DeliveryMode>('meta', 'delivery') ?? DEFAULT;
  }

  /** Holds until it is called again. Answers how many waited. */
  setMode(mode: Partial<DeliveryMode>): number {
    const waiting = this.#waiting();
    this.#world.store.put('meta', 'delivery', { ...this.mode, ...mode });
    this.#world.store.commit();
    if (this.mode.deliver === 'now') this.resume();
    return waiting.length;
  }

  /** What waits is sent, as after a start. */
  resume(): void {
    if (this.mode.deliver !== 'now') return;
    for (const { id } of this.#waiting()) this.#fly(id);
  }

  /** Until all that is under way has an answer. */
  async settle(): Promise<void> {
    while (this.#flying.size > 0) await Promise.all(this.#flying);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.settle();
  }

  #waiting(): Delivery[] {
    return this.#world.store
      .list<Delivery>('delivery')
      .filter(({ state, tries }) => state === 'waiting' && tries === 0);
  }

  #take(id: string): void {
    const { deliver } = this.mode;
    if (deliver === 'now' || deliver === 'before_answer') this.#fly(id);
    if (deliver === 'late') this.#after(LATE_MS, () => this.#fly(id));
    if (deliver === 'shuffled') this.#after(SHUFFLE_MS, () => this.#shuffle());
  }

  #shuffle(): void {
    const order = (id: string): number => this.#world.chance(`shuffle ${id}`);
    const ids = this.#waiting().map(({ id }) => id);
    for (const id of ids.sort((one, other) => order(one) - order(other))) this.#fly(id);
  }

  #after(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, ms);
    timer.unref();
    this.#timers.add(timer);
  }

  readonly #sending = new Set<string>();

  #fly(id: string): void {
    if (this.#isClosed || this.#sending.has(id)) return;
    this.#sending.add(id);
    const flight = this.#send(id).finally(() => {
      this.#flying.delete(flight);
      this.#sending.delete(id);
    });
    this.#flying.add(flight);
  }

  async #send(id: string): Promise<void> {
    const { store } = this.#world;
    const delivery = store.get<Delivery>('delivery', id);
    const event = delivery && store.get<Row<Stripe.Event>>('event', delivery.event);
    const endpoint =
      delivery && store.get<Row<Stripe.WebhookEndpoint>>('webhook_endpoint', delivery.endpoint);
    if (!delivery || !event || !endpoint) return;
    // What is told is the event as it is when it goes out, after the call that made it is done.
    await Promise.resolve();
    const body = JSON.stringify(event.data, null, 2);
    const { repeat, signature } = this.mode;
    const sends = Array.from({ length: repeat }, () =>
      post(endpoint.data.url, body, sign(body, endpoint.hidden.secret ?? '', signature)),
    );
    const isTaken = (await Promise.all(sends)).some(Boolean);
    this.#note(delivery, event, isTaken);
  }

  #note(delivery: Delivery, event: Row<Stripe.Event>, isTaken: boolean): void {
    const { store } = this.#world;
    const wait = RETRIES_MS[delivery.tries];
    delivery.tries += 1;
    if (isTaken) {
      delivery.state = 'sent';
      event.data.pending_webhooks -= 1;
      store.put('event', event.data.id, event);
    } else if (wait === undefined) delivery.state = 'failed';
    else this.#world.later(wait, 'deliver', { id: delivery.id });
    store.put('delivery', delivery.id, delivery);
    if (!this.#isClosed) store.commit();
  }

  retry(id: string): void {
    if (this.#world.store.get<Delivery>('delivery', id)?.state === 'waiting') this.#fly(id);
  }
}

function sign(body: string, secret: string, how: DeliveryMode['signature']): string {
  const at = Math.floor(Date.now() / 1000) - (how === 'old' ? OLD_S : 0);
  const key = how === 'wrong' ? `${secret}x` : secret;
  return `t=${at},v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
}

async function post(url: string, body: string, signature: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signature,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}
