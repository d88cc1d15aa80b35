import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiError, call } from './client.ts';
import type { Session } from './objects.ts';
import { SESSION_KEY as KEY } from './query-client.ts';

async function readSession(): Promise<Session | null> {
  try {
    const { session } = await call<{ session: Session }>({ store: null, path: '/v0/session', plain: true });
    return session;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) return null;
    throw error;
  }
}

/** Who is signed in; null = nobody. */
export function useSession() {
  return useQuery<Session | null, ApiError>({ queryKey: KEY, queryFn: readSession, staleTime: 60_000 });
}

/** Who was signed in when it was last asked: to ask anew would find nobody, and take away all that is open. */
export function useKnownSession(): Session | null | undefined {
  const { data } = useQuery<Session | null, ApiError>({
    queryKey: KEY,
    queryFn: readSession,
    enabled: false,
  });
  return data;
}

const ACCOUNT = 'cf-account';

/**
 * All tabs of a browser bear one cookie: what this one sends is sent as whoever signed in last in any of them. So each
 * tells who it shows, and one that shows somebody else begins anew.
 */
export function useOneAccount(): void {
  const accountId = useKnownSession()?.account.id;
  useEffect(() => {
    if (accountId === undefined) return;
    const channel = new BroadcastChannel(ACCOUNT);
    channel.onmessage = ({ data }) => {
      if (data !== accountId) window.location.reload();
    };
    channel.postMessage(accountId);
    return () => channel.close();
  }, [accountId]);
}

/** Takes over what a way in has answered, or asks anew. */
export function useSessionChange() {
  const client = useQueryClient();
  const isOfStores = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== KEY[0];
  return {
    take: (session: Session | null) => {
      const before = client.getQueryData<Session | null>(KEY);
      client.setQueryData(KEY, session);
      // Somebody else may not see what was read before them.
      if (before && before.account.id !== session?.account.id)
        void client.resetQueries({ predicate: isOfStores });
    },
    ask: () => client.invalidateQueries({ queryKey: KEY }),
    /** Nothing that was read stays behind on this screen. */
    leave: () => {
      // First, so that whoever shows it is told: of a query that was taken away nobody hears again.
      client.setQueryData(KEY, null);
      client.removeQueries({ predicate: isOfStores });
      client.getMutationCache().clear();
    },
  };
}

export function useSignOut(): () => Promise<void> {
  const { leave } = useSessionChange();
  return async () => {
    await call({ method: 'DELETE', store: null, path: '/v0/session', plain: true }).catch(() => {});
    leave();
  };
}
