/** Lists of the portal that come page by page. */
import { useEffect, useState } from 'preact/hooks';
import { usePortal, useWords } from './context.tsx';
import type { Page } from './shapes.ts';
import { p } from './text.ts';

/** A list that grows by a press. */
export function useRows<T>(path: string, name: string) {
  const { asking } = usePortal();
  const [rows, setRows] = useState<T[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  /** What no answer came to: asked for again by a press. */
  const [lost, setLost] = useState<{ cursor: string | null } | null>(null);
  const toWords = useWords();
  const load = async (cursor: string | null) => {
    const query = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const answer = await asking.get<Page & Record<string, T[]>>(path + query);
    setError(answer.kind === 'ok' ? null : toWords(answer));
    setLost(answer.kind === 'lost' ? { cursor } : null);
    if (answer.kind !== 'ok') return;
    setRows([...(cursor === null ? [] : (rows ?? [])), ...(answer.data[name] ?? [])]);
    setNext(answer.data.hasMore ? answer.data.cursor : null);
  };
  useEffect(() => void load(null), [path]);
  const more = next !== null && (
    <button type="button" class="secondary" onClick={() => void load(next)}>
      {p('orders.more')}
    </button>
  );
  const retry = lost && (() => void load(lost.cursor));
  return { rows, error, retry, more, reload: () => load(null) };
}
