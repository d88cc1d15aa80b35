/** Sends events to the webhook endpoints, when and as often as the control port says. */
import type { World } from './world.ts';

export interface DeliveryMode {
  deliver: 'before_answer' | 'late' | 'never' | 'now' | 'shuffled';
  repeat: number;
  signature: 'good' | 'old' | 'wrong';
}

/** An event on its way to one endpoint. */
export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  account: string;
  order: number;
  tries: number;
  state: 'failed' | 'sent' | 'waiting';
}

/** How a processor sends one. */
export interface Post {
  /** After each try that failed, by the stand-in's clock; then it is given up. */
  retriesMs: readonly number[];
  /** Says whether it was taken; null = there is nothing to send any more. */
  send: (world: World, delivery: Delivery, signature: DeliveryMode['signature']) => Promise<boolean> | null;
  onTaken?: (world: World, delivery: Delivery) => void;
}

const DEFAULT: DeliveryMode = { deliver: 'now', repeat: 1, signature: 'good' };
const LATE_MS = 3_000;
const SHUFFLE_MS = 200;

export class Deliverer {
  readonly #world: World;
  readonly #post: Post;
  readonly #flying = new Set<Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(world: World, post: Post) {
    this.#world = world;
    this.#post = post;
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
    const delivery = this.#world.store.get<Delivery>('delivery', id);
    if (!delivery) return;
    // What is told is the event as it is when it goes out, after the call that made it is done.
    await Promise.resolve();
    const { repeat, signature } = this.mode;
    const sends = Array.from({ length: repeat }, () => this.#post.send(this.#world, delivery, signature));
    const under = sends.filter((send) => send !== null);
    if (under.length > 0) this.#note(delivery, (await Promise.all(under)).some(Boolean));
  }

  #note(delivery: Delivery, isTaken: boolean): void {
    const { store } = this.#world;
    const wait = this.#post.retriesMs[delivery.tries];
    delivery.tries += 1;
    if (isTaken) {
      delivery.state = 'sent';
      this.#post.onTaken?.(this.#world, delivery);
    } else if (wait === undefined) delivery.state = 'failed';
    else this.#world.later(wait, 'deliver', { id: delivery.id });
    store.put('delivery', delivery.id, delivery);
    if (!this.#isClosed) store.commit();
  }

  retry(id: string): void {
    if (this.#world.store.get<Delivery>('delivery', id)?.state === 'waiting') this.#fly(id);
  }
}

const TIMEOUT_MS = 20_000;

/** Whether the address took it. */
export async function post(url: string, body: string, headers: Record<string, string>): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Lays a delivery ready. */
export function addDelivery(world: World, account: string, event: string, endpoint: string): void {
  const order = world.count('deliveries');
  const id = `del_${order}`;
  world.store.put<Delivery>('delivery', id, {
    id,
    event,
    endpoint,
    account,
    order,
    tries: 0,
    state: 'waiting',
  });
  world.onDelivery(id);
}
