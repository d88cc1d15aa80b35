/** Numbers that are the same ones for a seed (mulberry32). */
export interface Random {
  /** From 0, below 1. */
  next(): number;
  /** A whole number from 0, below `end`. */
  below(end: number): number;
  /** Undefined of none. */
  of<Value>(values: readonly Value[]): Value | undefined;
}

export function createRandom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return { next, below, of: (values) => values[below(values.length)] };
}
