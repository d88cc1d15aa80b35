import type { Fact } from './committed-facts.ts';

/** Told how the store is used, where somebody measures. */
export interface StoreWatch {
  /** How long a connection was waited for. */
  waited(ms: number): void;
  /** How long a statement took, with the way there and back; `verb` is its first word. */
  ran(verb: string, ms: number): void;
  /** A transaction lost a race and is run again. */
  retried(sqlstate: string): void;
  /** What a transaction has told, once it holds. */
  committed(facts: readonly Fact[]): void;
}
