/**
 * Whether the service is there. One that starts, stops or moves answers 503, or not at all, and comes back: what was
 * asked of it is asked again, and the page says meanwhile why it stands still.
 */
import { useSyncExternalStore } from 'react';

/** The gate of a proxy answers for a service that is away. */
const AWAY = new Set([0, 502, 503, 504]);
/** A 503 that says more than "not now": it is an answer. */
const ANSWERS = new Set(['store_held', 'processor_unreachable']);

export const isAway = ({ status, code }: { status: number; code: string }): boolean =>
  AWAY.has(status) && !ANSWERS.has(code);

const DELAYS_MS = [500, 1_000, 2_000];
/** Whoever waits for a page looks at it. */
const DELAY_MAX_MS = 4_000;

/** How long to wait before it is asked again: as long as the service says, if it does. */
export const delayOf = (failures: number, retryAfterS: number | null): number =>
  Math.min(retryAfterS === null ? (DELAYS_MS[failures] ?? DELAY_MAX_MS) : retryAfterS * 1_000, DELAY_MAX_MS);

/** What nobody asks for any more, such as what a screen that was left has asked for, is forgotten after this. */
const FORGET_MS = 10_000;

const unanswered = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

/** Told of each answer by what was asked for. */
export function noteAnswer(name: string, away: boolean): void {
  const known = unanswered.get(name);
  if (known === undefined && !away) return;
  clearTimeout(known);
  if (away)
    unanswered.set(
      name,
      setTimeout(() => noteAnswer(name, false), FORGET_MS),
    );
  else unanswered.delete(name);
  for (const listen of listeners) listen();
}

function subscribe(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

/** Whether something that was asked for waits for the service to come back. */
export const useAway = (): boolean => useSyncExternalStore(subscribe, () => unanswered.size > 0);

export const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A part of the page is a file of the service, too: it is loaded once the service is back. */
export async function arrive<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      const part = await load();
      noteAnswer('page', false);
      return part;
    } catch (error) {
      const isThere = await fetch('/v0/session/ways').then(
        ({ status }) => !AWAY.has(status),
        () => false,
      );
      // The service answers and the part is gone: another version runs, and the page has to be loaded anew.
      if (isThere && failures > 0) throw error;
      noteAnswer('page', !isThere);
      await rest(delayOf(failures, null));
    }
  }
}
