import type { ReactNode } from 'react';
import type { ApiError } from '../api/client.ts';
import { Failure } from './failure.tsx';
import { Waiting } from './waiting.tsx';

interface Reading<T> {
  data: T | undefined;
  isError: boolean;
  error: ApiError | null;
  refetch: () => unknown;
}

/** What was read; until then the wait for it, or why it is not there: what nobody read is never called empty. */
export function Loaded<T>({ read, children }: { read: Reading<T>; children: (data: T) => ReactNode }) {
  if (read.data !== undefined) return children(read.data);
  if (read.isError && read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  return <Waiting />;
}
