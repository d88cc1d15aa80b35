import type { Context } from '../../context.ts';

/**
 * The step at the moment in which it holds its locks: whoever waited for them, or for a processor before, comes after
 * what was done meanwhile, and its events are to say so. The moment stands still from then on, as it does in an
 * advance of the test clock anyway.
 */
export function atLock<T extends Pick<Context, 'nowMs' | 'nowRealMs' | 'realNowMs'>>(step: T): T {
  if (step.nowRealMs === undefined) return step;
  // Set in a copy, as in `openContext`.
  const held = { ...step };
  held.nowMs = step.nowMs + Math.max(step.realNowMs() - step.nowRealMs, 0);
  held.nowRealMs = undefined;
  return held;
}
