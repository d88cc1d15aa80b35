import type { Context } from '../../context.ts';

/**
 * The step at the moment in which it holds its locks: whoever waited for them, or for a processor before, comes after
 * what was done meanwhile, and its events are to say so. The moment stands still from then on, as it does in an
 * advance of the test clock anyway.
 */
export function atLock<T extends Pick<Context, 'nowMs' | 'nowRealMs' | 'realNowMs'>>(step: T): T {
  const { nowRealMs, ...rest } = step;
  if (nowRealMs === undefined) return step;
  const waitedMs = Math.max(step.realNowMs() - nowRealMs, 0);
  return { ...(rest as T), nowMs: step.nowMs + waitedMs };
}
