import type { SessionView } from '../../ui/view.ts';
import { isInFrame } from '../frame/channel.ts';

/** Where this browser keeps the page of an order that waits for its payment. */
const KEY = 'counterfoil.open-order';
/** Pages of checkouts alone: whatever else came into the storage is led to by nothing. */
const PAGE = /^\/checkout(?:-element)?\/[\w-]+\/checkout\/[\w.-]+$/;

/** Keeps the page of an order that was begun and is not paid, so that a buyer who begins others finds back to it. */
export function keepOpenOrder({ status }: SessionView): void {
  if (isInFrame()) return;
  const isWaiting = status === 'requires_action' || status === 'processing';
  const { pathname } = window.location;
  // A browser that keeps nothing does without.
  try {
    if (isWaiting) localStorage.setItem(KEY, pathname);
    else if (localStorage.getItem(KEY) === pathname) localStorage.removeItem(KEY);
  } catch {}
}

/** The page of another order that this browser has begun; null where it knows of none. */
export function findOpenOrder(): string | null {
  if (isInFrame()) return null;
  try {
    const kept = localStorage.getItem(KEY);
    return kept !== null && PAGE.test(kept) && kept !== window.location.pathname ? kept : null;
  } catch {
    return null;
  }
}
