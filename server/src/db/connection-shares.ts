/**
 * Who may hold how many of a process's connections in transactions. Transactions wait for rows that others hold, so
 * that without a bound the buyers behind one locked row of one store would take every connection, and with them what
 * all other stores only want to read.
 */

/** Neither a place nor an end of the others within the time that there was. */
export class NoPlaceFree extends Error {
  override name = 'NoPlaceFree';
  /** Whether others of the same share were in the way, and not the process as a whole. */
  readonly isOwnShare: boolean;

  constructor(isOwnShare: boolean) {
    super('no connection came free in time');
    this.isOwnShare = isOwnShare;
  }
}

export interface ShareLimits {
  /** Transactions at a time in the process. */
  all: number;
  /** The same of one share. */
  each: number;
}

/** Connections beyond those of transactions, so that what reads one row never waits for what waits for rows. */
const READING = 0.2;
const EACH = 0.75;

/** Of a pool of so many connections. */
export function toShareLimits(connectionsMax: number): ShareLimits {
  const all = Math.max(1, connectionsMax - Math.max(1, Math.floor(connectionsMax * READING)));
  return { all, each: Math.max(1, Math.floor(all * EACH)) };
}

export interface Share {
  /** Whose connections are counted together; null = nobody's, only the whole is bounded. */
  name: string | null;
  /** May it hold all that transactions may hold, as a worker that is alone in its process? */
  isWhole?: boolean;
  /** How long it waits while nobody of the same share gets in. */
  waitMs: number;
  /** How long it waits at most, behind others that do get in; missing = no longer than that. */
  waitMaxMs?: number;
}

interface Waiting {
  share: Share;
  enter: () => void;
  /** Somebody of the same share got in since it was last looked. */
  isMoving: boolean;
}

export class ConnectionShares {
  private readonly limits: ShareLimits;
  private readonly held = new Map<string, number>();
  private heldByAll = 0;
  private waiting: Waiting[] = [];

  constructor(limits: ShareLimits) {
    this.limits = limits;
  }

  /** Waits for a place, in the order of coming but for those whose share is full. Call what is answered at the end. */
  async enter(share: Share): Promise<() => void> {
    if (this.hasRoom(share)) this.take(share);
    else await this.wait(share);
    return () => this.leave(share);
  }

  private wait(share: Share): Promise<void> {
    return new Promise((resolve, reject) => {
      const { waitMs, waitMaxMs = waitMs } = share;
      const waiting: Waiting = {
        share,
        isMoving: false,
        enter: () => {
          clearTimeout(timer);
          this.take(share);
          resolve();
        },
      };
      let leftMs = waitMaxMs;
      const look = () => {
        leftMs -= waitMs;
        if (!waiting.isMoving || leftMs <= 0) {
          this.waiting = this.waiting.filter((other) => other !== waiting);
          return reject(new NoPlaceFree(this.isFull(share)));
        }
        waiting.isMoving = false;
        timer = setTimeout(look, Math.min(waitMs, leftMs));
      };
      let timer = setTimeout(look, waitMs);
      this.waiting.push(waiting);
    });
  }

  private leave({ name }: Share): void {
    this.heldByAll -= 1;
    if (name !== null) {
      const left = this.countOf(name) - 1;
      if (left > 0) this.held.set(name, left);
      else this.held.delete(name);
    }
    const next = this.waiting.find(({ share }) => this.hasRoom(share));
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    next.enter();
    for (const other of this.waiting) if (other.share.name === next.share.name) other.isMoving = true;
  }

  private take({ name }: Share): void {
    this.heldByAll += 1;
    if (name !== null) this.held.set(name, this.countOf(name) + 1);
  }

  private hasRoom(share: Share): boolean {
    return this.heldByAll < this.limits.all && !this.isFull(share);
  }

  private isFull({ name, isWhole }: Share): boolean {
    return name !== null && !isWhole && this.countOf(name) >= this.limits.each;
  }

  private countOf(name: string): number {
    return this.held.get(name) ?? 0;
  }
}
