/** What disturbed workers go through: what was asked for, and what takes part in it. */
import type { Receiver } from '../support/receiver.ts';
import type { Shop } from './renewing-shop.ts';
import type { Till, TillOptions } from './stripe-till.ts';
import type { Fleet } from './worker-fleet.ts';

export interface EnduranceOptions {
  databaseUrl: string;
  dataDir: string;
  /** Of what comes when, and to which worker. */
  seed: number;
  workers: number;
  subscriptions: number;
  /** Monthly periods that have gone by while no worker ran. */
  periods: number;
  /** Workers killed by SIGKILL, halted by SIGSTOP for a while, and connections to the store cut. */
  kills: number;
  pauses: number;
  cuts: number;
  /** One card in ten has an outcome that is unknown at first, and as many are declined; else all pay. */
  hasBadCards: boolean;
  /** Leases of whoever is killed or halted run out at once. Otherwise they are waited for, as in operation. */
  isHastened: boolean;
  connections: number;
  /** Over Stripe's stand-in, whose answers are disturbed. Missing = over the sandbox. */
  till?: Omit<TillOptions, 'seed'>;
  log?: (line: string) => void;
}

/** What a card does from the first renewal on. */
export type Kind = 'pays' | 'unknown' | 'soft' | 'hard';

export interface Course {
  shop: Shop;
  fleet: Fleet;
  receiver: Receiver;
  /** Null = the sandbox takes the money. */
  till: Till | null;
  options: EnduranceOptions;
  /** By number. */
  kinds: Map<string, Kind>;
  figures: Record<string, number>;
}
