/** A connection to whichever of several hosts is the primary when it is made. */
import pg from 'pg';
import { assert } from '../../domain/assert.ts';
import type { StoreHost } from '../../domain/store-url.ts';
import { WatchedClient } from '../watched-client.ts';
import { type Bound, findHosts, type Hosts } from './hosts.ts';

type Connected = (error: Error | null) => void;

export class HostsClient extends WatchedClient {
  private readonly hosts: Hosts;
  private isEnding = false;
  private boundTo: StoreHost | null = null;

  constructor(config: pg.ClientConfig) {
    const hosts = findHosts(config.connectionString);
    assert(hosts?.all[0], 'a URL of several hosts');
    // All are reached alike but for their names.
    super({ ...config, connectionString: hosts.all[0].url });
    this.hosts = hosts;
    // Of pg's forms the one is answered by its callback alone, the other by a promise.
    const connect = this.connect.bind(this) as () => Promise<unknown>;
    this.connect = ((callback?: Connected) => {
      const connected = this.reach(connect);
      if (!callback) return connected;
      void connected.then(() => callback(null), callback);
    }) as pg.Client['connect'];
    const end = this.end.bind(this) as (...given: unknown[]) => unknown;
    this.end = ((...given: unknown[]) => {
      this.isEnding = true;
      return end(...given);
    }) as pg.Client['end'];
  }

  /** What answers here is not what was looked for. */
  distrust(): void {
    if (this.boundTo !== null) this.hosts.lose(this.boundTo);
  }

  private async reach(connect: () => Promise<unknown>): Promise<this> {
    const host = await this.hosts.find();
    // Whoever wanted it has given up.
    if (this.stream.destroyed || this.isEnding) throw new Error('timeout exceeded when trying to connect');
    this.boundTo = host;
    this.host = host.host;
    this.port = host.port;
    const bound: Bound = {
      host,
      cut: () => this.stream.destroy(new Error('Connection terminated: the store has another primary')),
    };
    this.hosts.bind(bound);
    // The pool ends one that has broken before it says that it has ended.
    this.on('error', () => this.hosts.lose(host));
    this.once('end', () => this.leave(bound, host));
    try {
      await connect();
      return this;
    } catch (error) {
      this.leave(bound, host);
      this.hosts.lose(host);
      throw error;
    }
  }

  private leave(bound: Bound, host: StoreHost): void {
    this.hosts.unbind(bound);
    if (!this.isEnding) this.hosts.lose(host);
  }
}

/** For whoever needs one connection alone. */
export function createClient(config: pg.ClientConfig): pg.Client {
  return findHosts(config.connectionString) === null ? new pg.Client(config) : new HostsClient(config);
}
