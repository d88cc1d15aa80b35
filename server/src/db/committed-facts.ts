/** What a transaction tells whoever measures once it holds: what was rolled back, or run again, has not happened. */
export interface Fact {
  name: string;
  /** Words of closed lists. */
  labels: Readonly<Record<string, string>>;
}

const factsOf = new WeakMap<object, Fact[]>();

/** From here on its facts are taken down; answers where. */
export function takeFacts(tx: object): Fact[] {
  const facts: Fact[] = [];
  factsOf.set(tx, facts);
  return facts;
}

/** A piece of a transaction tells with the whole. */
export function shareFacts(piece: object, whole: object): void {
  const facts = factsOf.get(whole);
  if (facts) factsOf.set(piece, facts);
}

/** Costs nothing where nobody measures. */
export function noteFacts(tx: object, make: () => Fact[]): void {
  factsOf.get(tx)?.push(...make());
}
