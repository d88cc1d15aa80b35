import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './client.ts';

const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // What is refused stays refused; what is down for a moment comes back.
      retry: (count, error) =>
        count < RETRIES && error instanceof ApiError && (error.status === 503 || error.status === 0),
    },
  },
});
