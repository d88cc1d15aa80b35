/** Reads and writes of the store that the address names, with one cache for all screens. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useStore } from '../app/store.tsx';
import { type ApiError, type Call, call, newKey } from './client.ts';
import type { Row } from './objects.ts';

export interface ReadOptions<T = Row> {
  query?: string;
  enabled?: boolean;
  /** Old rows stay until the new ones are there. */
  keep?: boolean;
  staleMs?: number;
  /** Rows of a list are drawn anew only when somebody asks. */
  isList?: boolean;
  /** Asked again as often as this, for what is on its way; by what was answered, where that tells. */
  everyMs?: number | false | ((data: T | undefined) => number | false);
}

/** What the cache calls an answer: the store, the path, the query. */
export const toQueryKey = (store: { workspaceId: string; mode: string } | null, path: string, query = '') => [
  store ? `${store.workspaceId}/${store.mode}` : 'account',
  path,
  query,
];

export function useRead<T = Row>(path: string, options: ReadOptions<T> = {}) {
  const { store } = useStore();
  const { query = '', enabled = true, keep = false, staleMs, everyMs = false, isList = false } = options;
  return useQuery<T, ApiError>({
    queryKey: isList ? [...toQueryKey(store, path, query), 'list'] : toQueryKey(store, path, query),
    queryFn: ({ signal }) => call<T>({ store, path, query, signal }),
    enabled,
    placeholderData: keep ? keepPreviousData : undefined,
    staleTime: staleMs,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : everyMs,
  });
}

export interface Write {
  method: NonNullable<Call['method']>;
  path: string;
  body?: unknown;
  ifMatch?: string;
  isSlow?: boolean;
}

/** A file by what tells it from another. */
const toNamed = (body: unknown) => (body instanceof File ? [body.name, body.size, body.lastModified] : body);

/**
 * A write of one dialog: it bears one key as long as what is sent stays the same, so that a double press and a try
 * after a lost answer are one call.
 */
export function useWrite<T = Row>() {
  const { store } = useStore();
  const client = useQueryClient();
  const last = useRef({ sent: '', key: '' });
  return useMutation<T, ApiError, Write>({
    mutationFn: ({ method, path, body, ifMatch, isSlow }) => {
      const sent = JSON.stringify([method, path, toNamed(body), ifMatch]);
      if (last.current.sent !== sent) last.current = { sent, key: newKey() };
      return call<T>({ store, method, path, body, ifMatch, isSlow, idempotencyKey: last.current.key });
    },
    onSuccess: () => {
      last.current = { sent: '', key: '' };
      void client.invalidateQueries({ queryKey: [toQueryKey(store, '')[0]] });
    },
  });
}
