/**
 * What others do shows without a reload. One tab asks for all tabs of a store: a browser has few connections to one
 * host, and a stream of its own per tab would use them up.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, call, type Store } from '../api/client.ts';
import { askRoleAnew } from '../api/query-client.ts';
import { useStore } from './store.tsx';

export interface Change {
  changeId: string;
  object: string;
  id: string | null;
  operation: string;
  actor: string | null;
  createdAt: number;
}

const VISIBLE_MS = 5_000;
const HIDDEN_MS = 60_000;
const EVENT = 'cf-changes';

/** Tells whoever listens in this tab. */
export function onChanges(listen: (changes: Change[]) => void): () => void {
  const handle = (event: Event) => listen((event as CustomEvent<Change[]>).detail);
  window.addEventListener(EVENT, handle);
  return () => window.removeEventListener(EVENT, handle);
}

export function useChanges(): void {
  const { store } = useStore();
  const client = useQueryClient();
  useEffect(() => {
    const name = `cf-changes ${store.workspaceId}/${store.mode}`;
    const channel = new BroadcastChannel(name);
    const stop = new AbortController();
    const tell = (changes: Change[]) => {
      window.dispatchEvent(new CustomEvent(EVENT, { detail: changes }));
      // Rows of a list stay where they are under the pointer; all else is drawn anew in its place.
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === `${store.workspaceId}/${store.mode}` && queryKey[3] !== 'list',
      });
    };
    channel.onmessage = (message: MessageEvent<Change[]>) => tell(message.data);
    const ask = () =>
      poll(store, stop.signal, (changes) => {
        channel.postMessage(changes);
        tell(changes);
      });
    if (navigator.locks) {
      navigator.locks.request(name, { signal: stop.signal }, ask).catch(() => {});
    } else void ask();
    return () => {
      stop.abort();
      channel.close();
    };
  }, [store, client]);
}

async function poll(store: Store, signal: AbortSignal, tell: (changes: Change[]) => void): Promise<void> {
  let cursor: string | null = null;
  // The newest rows come again for a while, since one that was written before may be committed after them.
  let told = new Map<string, number>();
  while (!signal.aborted) {
    let isRefused = false;
    try {
      const query: string = cursor === null ? '' : new URLSearchParams({ cursor }).toString();
      const answer: { changes: Change[]; cursor: string; reset?: boolean } = await call({
        store,
        path: '/v0/changes',
        query,
        signal,
        plain: true,
      });
      const fresh = answer.changes.filter((change) => !told.has(nameOf(change)));
      told = keepTold(told, answer.changes);
      if (cursor !== null && (fresh.length > 0 || answer.reset)) tell(fresh);
      cursor = answer.cursor;
    } catch (error) {
      askRoleAnew(error);
      isRefused =
        error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
    }
    // Whoever is signed out, or may not ask, is told by what they do next, and may be let in again.
    const isQuick = document.visibilityState === 'visible' && !isRefused;
    await rest(isQuick ? VISIBLE_MS : HIDDEN_MS, signal);
  }
}

const TOLD_MS = 60_000;

/** One event may be about two objects. */
const nameOf = ({ changeId, object }: Change): string => `${changeId} ${object}`;

function keepTold(told: ReadonlyMap<string, number>, changes: readonly Change[]): Map<string, number> {
  const now = Date.now();
  const kept = new Map([...told].filter(([, at]) => now - at < TOLD_MS));
  for (const change of changes) kept.set(nameOf(change), now);
  return kept;
}

/** Ends early when the tab is looked at again. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
}
