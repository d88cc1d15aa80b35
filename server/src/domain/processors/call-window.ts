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
  /** In the order in which they ended. */
  calls: Call[];
  unanswered: number;
}

export function openWindow(): CallWindow {
  return { calls: [], unanswered: 0 };
}

/** Notes a call that has ended, and forgets those of long ago. */
export function noteCall(window: CallWindow, call: Call): void {
  const { calls } = window;
  calls.push(call);
  if (!call.isAnswered) window.unanswered += 1;
  const fromMs = call.atMs - WINDOW_MS;
  for (let [first] = calls; first && (calls.length > CALLS_MAX || first.atMs <= fromMs); [first] = calls) {
    calls.shift();
    if (!first.isAnswered) window.unanswered -= 1;
  }
}

/** Of ten calls and more a fifth without an answer is too much; null = too few to say. */
export function judgeCalls({ calls, unanswered }: CallWindow): 'well' | 'unwell' | null {
  if (calls.length < CALLS_MIN) return null;
  return unanswered / calls.length >= SHARE_MAX ? 'unwell' : 'well';
}
