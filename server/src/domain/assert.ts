/** Raised when something impossible happened: a bug of ours, answered as 500 with a fixed public text. */
export class BugError extends Error {
  override name = 'BugError';
}

/** Crashes on the impossible. Never use it for input or for a state that a caller can bring about. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new BugError(what);
}

/** For exhaustive switches: an unknown kind must not compile. */
export function assertNever(value: never): never {
  throw new BugError(`unexpected value ${String(value)}`);
}
