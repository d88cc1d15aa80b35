import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { delayOf, isAway } from './reach.ts';

/** What the cache calls who is signed in, with the roles that they have. */
export const SESSION_KEY = ['session'];

/** A role that was changed, or taken away, while the page stood open is heard of by what is refused first. */
export function askRoleAnew(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.code !== 'insufficient_permission' && error.code !== 'workspace_not_found') return;
  void queryClient.invalidateQueries({ queryKey: SESSION_KEY });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: askRoleAnew }),
  mutationCache: new MutationCache({ onError: askRoleAnew }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // Whether there is a network only an answer tells: the service may be on this very machine.
      networkMode: 'always',
      // What is refused stays refused; what is away comes back, and is asked until it does.
      retry: (_, error) => error instanceof ApiError && isAway(error),
      retryDelay: (count, error) => delayOf(count, error instanceof ApiError ? error.retryAfterS : null),
    },
    mutations: { networkMode: 'always' },
  },
});
