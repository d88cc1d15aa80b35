/** The world of one stand-in: its clock, its ids, what is due later. Everything in it lies in the store. */
import { createHash } from 'node:crypto';
import { Store } from './store.ts';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 24;

export interface WorldOptions {
  seed: string;
  /** Null = in memory alone. */
  journal: string | null;
  /** Where its clock starts, unless the journal knows; null = at real time. */
  nowMs: number | null;
  /** Whether webhooks may go to addresses on loopback. */
  mayLoopback: boolean;
}

/** Something that happens later, by the stand-in's clock. */
export interface Due {
  id: string;
  atMs: number;
  verb: string;
  args: Record<string, unknown>;
}

export type DueVerbs = Readonly<Record<string, (world: World, args: Record<string, unknown>) => void>>;

export class World {
  readonly store: Store;
  readonly seed: string;
  readonly mayLoopback: boolean;
  /** What makes webhook deliveries, told by whoever starts it. */
  onDelivery: (id: string) => void = () => {};
  /** Where the stand-in's own pages are reached. */
  publicUrl = 'http://127.0.0.1';
  #origin = { scope: 'start', count: 0 };
  #frozenMs: number | null = null;

  constructor(options: WorldOptions) {
    this.store = new Store(options.journal);
    this.seed = options.seed;
    this.mayLoopback = options.mayLoopback;
    if (this.store.get('meta', 'clock') === undefined) {
      this.store.put('meta', 'clock', (options.nowMs ?? Date.now()) - Date.now());
      this.store.commit();
    }
  }

  get nowMs(): number {
    return this.#frozenMs ?? Date.now() + (this.store.get<number>('meta', 'clock') ?? 0);
  }

  get now(): number {
    return Math.floor(this.nowMs / 1000);
  }

  moveClock(byMs: number): void {
    this.store.put('meta', 'clock', (this.store.get<number>('meta', 'clock') ?? 0) + byMs);
  }

  /** From 1, for each name. */
  count(name: string): number {
    return this.store.put('counters', name, (this.store.get<number>('counters', name) ?? 0) + 1);
  }

  /** Says whose ids follow: they come of the seed, this scope and their ordinal in it, never of timing. */
  begin(scope: string): void {
    this.#origin = { scope, count: 0 };
  }

  /** `pi_…`; `isTaken` tells an id of the same scope in an earlier life. */
  id(prefix: string, isTaken: (id: string) => boolean = () => false): string {
    for (;;) {
      const { scope } = this.#origin;
      this.#origin.count += 1;
      const id = `${prefix}_${this.digest(`${scope} ${prefix} ${this.#origin.count}`, ID_LENGTH)}`;
      if (!this.store.get('ids', id) && !isTaken(id)) {
        this.store.put('ids', id, 1);
        return id;
      }
    }
  }

  digest(text: string, length: number): string {
    const bytes = createHash('sha512').update(`${this.seed} ${text}`).digest();
    return Array.from(bytes.subarray(0, length), (byte) => LETTERS[byte % LETTERS.length]).join('');
  }

  /** From 0 to below 1, of the seed and the text alone. */
  chance(text: string): number {
    return createHash('sha256').update(`${this.seed} ${text}`).digest().readUInt32BE(0) / 2 ** 32;
  }

  later(afterMs: number, verb: string, args: Record<string, unknown>): void {
    this.at(this.nowMs + afterMs, verb, args);
  }

  at(atMs: number, verb: string, args: Record<string, unknown>): void {
    const id = String(this.count('due')).padStart(12, '0');
    this.store.put<Due>('due', id, { id, atMs, verb, args });
  }

  /** Does what is due, in its order, each at its own time. */
  runDue(verbs: DueVerbs): void {
    const nowMs = this.nowMs;
    for (;;) {
      const [next] = this.store
        .list<Due>('due')
        .filter(({ atMs }) => atMs <= nowMs)
        .sort((one, other) => one.atMs - other.atMs || (one.id < other.id ? -1 : 1));
      if (!next) break;
      this.store.remove('due', next.id);
      this.#frozenMs = next.atMs;
      try {
        this.begin(`due ${next.id}`);
        verbs[next.verb]?.(this, next.args);
      } finally {
        this.#frozenMs = null;
      }
    }
    this.store.commit();
  }
}
