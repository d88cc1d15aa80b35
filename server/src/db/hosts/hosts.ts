/**
 * The hosts of one store, of which one is its primary. All are asked at the start and after a loss, and every connection
 * of the process goes to the one that is chosen: of several primaries to that of the highest timeline. Promotion is the
 * operator's; here it is noticed.
 */
import { readStoreUrl, type StoreHost, type Wanted } from '../../domain/store-url.ts';
import { askHost, type Said } from './ask-host.ts';
import { NoPrimary, StalePrimary } from './primary-failure.ts';

/** A connection, as far as hosts have to do with it. */
export interface Bound {
  host: StoreHost;
  /** Whatever waits on it fails at once. */
  cut(): void;
}

export interface HostsNews {
  event: 'store_primary' | 'store_lower_primary' | 'store_stale_primary' | 'store_no_primary';
  host: string | null;
  timeline: number | null;
  message: string;
}

interface Answer {
  host: StoreHost;
  said: Said;
}

/** Whoever comes within it after a search that found nobody hears what that one did. */
const SAME_ANSWER_MS = 100;

export class Hosts {
  readonly all: readonly StoreHost[];
  private readonly wanted: Wanted;
  private current: StoreHost | null = null;
  /** The highest timeline that was chosen. */
  private highest: number | null = null;
  private asking: Promise<StoreHost> | null = null;
  private failed: { error: Error; atMs: number } | null = null;
  private readonly bound = new Set<Bound>();
  private readonly listeners = new Set<(news: HostsNews) => void>();
  private lastTold = '';

  constructor(hosts: readonly StoreHost[], wanted: Wanted) {
    this.all = hosts;
    this.wanted = wanted === 'any' ? 'primary' : wanted;
  }

  /** Where to connect now. Throws NoPrimary and StalePrimary. */
  async find(): Promise<StoreHost> {
    if (this.current !== null) return this.current;
    if (this.failed !== null && performance.now() - this.failed.atMs < SAME_ANSWER_MS)
      throw this.failed.error;
    return this.ask();
  }

  /** A connection broke, or was none: all are asked before the next. */
  lose(host: StoreHost): void {
    if (this.current === host) this.current = null;
  }

  /** Somebody waits for an answer: is it still the same that is to give it? What waits on another one is cut off. */
  async look(): Promise<void> {
    await this.ask().catch(() => {});
  }

  bind(connection: Bound): void {
    this.bound.add(connection);
  }

  unbind(connection: Bound): void {
    this.bound.delete(connection);
  }

  /** Answers how to be told no more. */
  listen(told: (news: HostsNews) => void): () => void {
    this.listeners.add(told);
    return () => void this.listeners.delete(told);
  }

  private ask(): Promise<StoreHost> {
    this.asking ??= this.search().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async search(): Promise<StoreHost> {
    const answers = await this.askAll();
    try {
      const { host, timeline } = this.choose(answers);
      this.failed = null;
      this.current = host;
      this.highest = timeline ?? this.highest;
      this.cutWhere((one) => one !== host);
      return host;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.current = null;
      this.failed = { error, atMs: performance.now() };
      const dead = new Set(answers.filter(({ said }) => said.is === 'silent').map(({ host }) => host));
      this.cutWhere((one) => dead.has(one));
      throw error;
    }
  }

  /** Of all, in the order of the list; of one that is surely newer than what was known, without those that are slower. */
  private askAll(): Promise<Answer[]> {
    const answers: Answer[] = [];
    return new Promise((resolve) => {
      for (const host of this.all) {
        void askHost(host).then((said) => {
          answers.push({ host, said });
          const isNewer =
            this.wanted === 'primary' &&
            said.is === 'primary' &&
            this.highest !== null &&
            said.timeline > this.highest;
          if (isNewer || answers.length === this.all.length) resolve(this.inOrder(answers));
        });
      }
    });
  }

  private inOrder(answers: readonly Answer[]): Answer[] {
    return this.all.flatMap((host) => answers.filter((answer) => answer.host === host));
  }

  private choose(answers: Answer[]): { host: StoreHost; timeline: number | null } {
    if (this.wanted !== 'primary') {
      const standby = answers.find(({ said }) => said.is === 'standby');
      if (standby) return { host: standby.host, timeline: null };
      if (this.wanted === 'standby') throw this.toFailure(answers, 'standby');
    }
    const primaries = answers
      .flatMap(({ host, said }) => (said.is === 'primary' ? [{ host, timeline: said.timeline }] : []))
      // Of equal ones the one that is in use, then the first of the list.
      .sort(
        (a, b) =>
          b.timeline - a.timeline || Number(b.host === this.current) - Number(a.host === this.current),
      );
    const [best, ...lower] = primaries;
    if (!best) throw this.toFailure(answers, 'primary');
    if (this.highest !== null && best.timeline < this.highest) throw this.toStale(best.host, best.timeline);
    for (const { host, timeline } of lower) {
      const message = `${host.name} says that it is a primary, too, and is left alone`;
      this.tell({ event: 'store_lower_primary', host: host.name, timeline, message });
    }
    if (lower.length === 0) {
      const { host, timeline } = best;
      this.tell({ event: 'store_primary', host: host.name, timeline, message: 'this host is the primary' });
    }
    return best;
  }

  private toStale(host: StoreHost, timeline: number): StalePrimary {
    const stale = new StalePrimary(timeline, this.highest ?? timeline);
    this.tell({ event: 'store_stale_primary', host: host.name, timeline, message: stale.message });
    return stale;
  }

  private toFailure(answers: Answer[], wanted: string): NoPrimary {
    const said = answers.map(
      ({ host, said }) => `${host.name} ${'why' in said ? said.why : `is a ${said.is}`}`,
    );
    const failure = new NoPrimary(`no host of the store is a ${wanted} that answers: ${said.join('; ')}`);
    this.tell({ event: 'store_no_primary', host: null, timeline: null, message: failure.message });
    return failure;
  }

  /** Once: the same is found at every try. */
  private tell(news: HostsNews): void {
    const key = JSON.stringify(news);
    if (key === this.lastTold) return;
    this.lastTold = key;
    for (const told of this.listeners) told(news);
  }

  private cutWhere(isSo: (host: StoreHost) => boolean): void {
    for (const connection of [...this.bound]) if (isSo(connection.host)) connection.cut();
  }
}

/** By URL: all pools of a process go by what one of them has found. Null = it names one host, which is nobody's choice. */
const known = new Map<string, Hosts | null>();

export function findHosts(connectionString: string | null | undefined): Hosts | null {
  if (!connectionString) return null;
  const found = known.get(connectionString);
  if (found !== undefined) return found;
  // One that the driver alone can read names one host.
  const made = connectionString.includes(',') ? readHosts(connectionString) : null;
  known.set(connectionString, made);
  return made;
}

function readHosts(connectionString: string): Hosts | null {
  const { hosts, wanted } = readStoreUrl(connectionString);
  return hosts.length > 1 ? new Hosts(hosts, wanted) : null;
}
