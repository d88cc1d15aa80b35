/** Who tries pairs that are unknown or wrong: an address with too many is refused further ones for a while. */

const WINDOW_MS = 60_000;
const MAX = 20;
const ADDRESSES_MAX = 50_000;

interface Tries {
  /** Of the last wrong pairs that count. */
  atMs: number[];
  refusedUntilMs: number;
  /** Since this address was last told of in the log. */
  untold: number;
  toldMs: number;
}

export interface WrongPairsOptions {
  /** Never runs backwards. */
  nowMs: () => number;
  /** Told once a minute of an address that is refused. */
  onMany: (address: string, count: number) => void;
}

export class WrongPairs {
  readonly #tries = new Map<string, Tries>();
  readonly #options: WrongPairsOptions;

  constructor(options: WrongPairsOptions) {
    this.#options = options;
  }

  /** How long the address is refused yet, in ms. */
  findWaitMs(address: string): number {
    const tries = this.#tries.get(address);
    return tries ? Math.max(0, tries.refusedUntilMs - this.#options.nowMs()) : 0;
  }

  /** A further pair was wrong while the address is refused: it counts for the log alone. */
  tell(address: string): void {
    this.#tell(address, this.#find(address));
  }

  /** A pair was unknown or wrong. */
  note(address: string): void {
    const nowMs = this.#options.nowMs();
    const tries = this.#find(address);
    tries.atMs = [...tries.atMs.filter((at) => at > nowMs - WINDOW_MS), nowMs];
    if (tries.atMs.length < MAX) {
      tries.untold += 1;
      return;
    }
    tries.atMs = [];
    tries.refusedUntilMs = nowMs + WINDOW_MS;
    this.#tell(address, tries);
  }

  #tell(address: string, tries: Tries): void {
    const nowMs = this.#options.nowMs();
    tries.untold += 1;
    if (nowMs - tries.toldMs < WINDOW_MS) return;
    this.#options.onMany(address, tries.untold);
    tries.untold = 0;
    tries.toldMs = nowMs;
  }

  #find(address: string): Tries {
    const known = this.#tries.get(address);
    if (known) return known;
    if (this.#tries.size >= ADDRESSES_MAX) {
      const [oldest] = this.#tries.keys();
      if (oldest !== undefined) this.#tries.delete(oldest);
    }
    const tries = { atMs: [], refusedUntilMs: 0, untold: 0, toldMs: Number.NEGATIVE_INFINITY };
    this.#tries.set(address, tries);
    return tries;
  }
}
