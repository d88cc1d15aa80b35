/** How calls to a processor end, for whoever judges whether it is well. */

export type CallEnd =
  /** With an answer that can be trusted, also a no. */
  | 'answered'
  /** With none, or one that cannot be trusted. */
  | 'unanswered'
  /** Our credentials open nothing there any more. */
  | 'locked_out';

/** What is thrown where nothing was sent: it says nothing of the processor. */
export class NotSent extends Error {
  override name = 'NotSent';
  readonly kind = 'too_late';
}

/** By the words of the adapters' failures. */
const END_OF: Readonly<Record<string, CallEnd | null>> = {
  locked_out: 'locked_out',
  refused: 'answered',
  missing: 'answered',
  declined: 'answered',
  too_late: null,
};

/** Null = it was never sent. */
export function toCallEnd(error: unknown): CallEnd | null {
  const kind = error instanceof Error && 'kind' in error ? String(error.kind) : '';
  const end = END_OF[kind];
  return end === undefined ? 'unanswered' : end;
}

/** It was answered, and the answer is that the call is not right. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'kind' in error && error.kind === 'refused';
}
