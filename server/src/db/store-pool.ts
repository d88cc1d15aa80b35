/** The pool of a store that may be reached by a pooler: see `StoreWay`. */
import pg from 'pg';
import { nameOf } from './prepared-pool.ts';
import { isNameLost, isStartRefused, type StoreWay } from './store-way.ts';

type Told = (error: Error | undefined, client: pg.PoolClient | undefined, release: () => void) => void;
type Ask = (...given: unknown[]) => Promise<pg.QueryResult>;

export class StorePool extends pg.Pool {
  private readonly way: StoreWay;

  constructor(options: pg.PoolConfig, way: StoreWay) {
    super({ ...options, ...way.toStart() });
    this.way = way;
    const connect = this.connect.bind(this) as () => Promise<pg.PoolClient>;
    const ask = this.query.bind(this) as unknown as Ask;
    // Both have several forms, which pg's typing tells as overloads.
    this.connect = ((told?: Told) => {
      const connected = this.connectAsBorne(connect);
      if (!told) return connected;
      // Not by two handlers of one promise: what `told` throws is not to be told to it again.
      connected.then(
        (client) => told(undefined, client, () => client.release()),
        (error: Error) => told(error, undefined, () => {}),
      );
      return undefined;
    }) as typeof this.connect;
    this.query = ((...given: unknown[]) => {
      const [config] = given;
      return isNamed(config) && given.length === 1 ? this.askNamed(ask, config) : ask(...given);
    }) as typeof this.query;
  }

  private async connectAsBorne(connect: () => Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    try {
      return await connect();
    } catch (error) {
      if (!isStartRefused(error)) throw error;
      this.way.loseLimits();
      // Those of all connections from here on: pg makes each from the pool's.
      for (const name of Object.keys(this.way.toStart())) Reflect.deleteProperty(this.options, name);
      return connect();
    }
  }

  /** Prepared under the name of its text, which is never another's. */
  private async askNamed(ask: Ask, { text, values }: pg.QueryConfig): Promise<pg.QueryResult> {
    const name = this.way.keepsNames ? nameOf(text) : undefined;
    try {
      return await ask({ text, values, ...(name === undefined ? {} : { name }) });
    } catch (error) {
      if (!isNameLost(error)) throw error;
      this.way.loseNames();
      return ask({ text, values });
    }
  }
}

function isNamed(config: unknown): config is pg.QueryConfig {
  return typeof config === 'object' && config !== null && 'name' in config && 'text' in config;
}
