/** The last calls over a connection, and whether it is well by them. */

const WINDOW_MS = 5 * 60_000;
/** Fewer say nothing. */
const CALLS_MIN = 10;
const SHARE_MAX = 0.2;
/** More are not kept: by then the share is known well enough. */
const CALLS_MAX = 500;

interface Call {
  atMs: number;
  isAnswered: boolean;
}

export interface CallWindow {
  calls: Call[];
}

export function openWindow(): CallWindow {
  return { calls: [] };
}

/** Notes a call that has ended, and forgets those of long ago. */
export function noteCall(window: CallWindow, call: Call): void {
  window.calls.push(call);
  const fromMs = call.atMs - WINDOW_MS;
  window.calls = window.calls.filter(({ atMs }) => atMs > fromMs).slice(-CALLS_MAX);
}

/** Of ten calls and more a fifth without an answer is too much; null = too few to say. */
export function judgeCalls({ calls }: CallWindow): 'well' | 'unwell' | null {
  if (calls.length < CALLS_MIN) return null;
  const unanswered = calls.filter(({ isAnswered }) => !isAnswered).length;
  return unanswered / calls.length >= SHARE_MAX ? 'unwell' : 'well';
}
