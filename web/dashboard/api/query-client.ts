import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';
import { delayOf, isAway } from './reach.ts';

export const queryClient = new QueryClient({
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
