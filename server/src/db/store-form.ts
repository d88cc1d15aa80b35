/**
 * How statements are put to the store. One PostgreSQL writes several tables by one statement, which costs it least.
 * Where the rows are spread over several nodes such a statement asks all of them: there each is about one table, and what
 * is asked at once is sent together. Both forms do the same, and both are valid on one PostgreSQL.
 */
export type StoreForm = 'plain' | 'spread';

const spreadness = new WeakMap<object, () => boolean>();

/** Which form the statements of a database, or of a transaction, have. */
export function isSpread(db: object): boolean {
  return spreadness.get(db)?.() ?? false;
}

/** Asked at each statement, since a store is asked what it is by its first connection. */
export function setSpread(db: object, isSpread: () => boolean): void {
  spreadness.set(db, isSpread);
}

/** What is made of a database is of its form. */
export function keepForm<Made extends object>(made: Made, of: object): Made {
  const known = spreadness.get(of);
  if (known) spreadness.set(made, known);
  return made;
}
