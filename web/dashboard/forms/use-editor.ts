/** Who else has a hand on what a form edits. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { numberOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useActorNames } from '../app/actor.tsx';
import { useStore } from '../app/store.tsx';
import { type Change, onChanges } from '../app/use-changes.ts';
import { useLocale } from '../ui/locale.tsx';

export interface Edited {
  /** As `/v0/changes` calls it. */
  object: string;
  id: string | null;
  /** The operation that tells how it is now, and where its answer holds the object; null = there is none. */
  read: { path: string; in: string } | null;
  /** The version that the form was filled from; of what bears none the last write wins. */
  version: string | undefined;
  /** Makes of the API's object what the form's fields are read from, where it is not it. */
  shape?: (row: Row) => Row;
}

export function useEditor(edited: Edited | null) {
  const { store } = useStore();
  const { t } = useLocale();
  const heard = useRef<string | null>(null);
  const cursor = useRef<string | null>(null);
  const [, setHeard] = useState(0);
  const { object = '', id = null, read = null, version = '' } = edited ?? {};
  const isOf = useCallback(
    (change: Change) => change.object === object && (id === null || change.id === id),
    [object, id],
  );
  const findActor = useActorNames({ enabled: edited !== null });
  const live = useRead<Row>(read?.path ?? '', { enabled: read !== null });
  const answer = read ? live.data?.[read.in] : undefined;
  const now = numberOf((answer as Row | undefined) ?? live.data, 'version');

  useEffect(() => {
    if (object === '') return;
    // Where the store stands as the form is opened: what came after it tells who was faster.
    call<{ cursor: string }>({ store, path: '/v0/changes', plain: true })
      .then((data) => {
        cursor.current = data.cursor;
      })
      .catch(() => {});
    return onChanges((changes) => {
      const last = changes.filter(isOf).at(-1);
      if (!last) return;
      heard.current = last.actor;
      setHeard((count) => count + 1);
    });
  }, [store, object, isOf]);

  const nameOf = (actor: string | null): string =>
    findActor(actor) ?? t(actor?.startsWith('key:') ? 'conflict.key' : 'conflict.somebody');
  /** Asked at the moment of a conflict, which may come before the news of it. */
  const findName = async (): Promise<string> => {
    if (heard.current === null && cursor.current !== null) {
      const query = new URLSearchParams({ cursor: cursor.current, take: '200' });
      const news = await call<{ changes: Change[] }>({
        store,
        path: '/v0/changes',
        query,
        plain: true,
      }).catch(() => null);
      heard.current = news?.changes.filter(isOf).at(-1)?.actor ?? null;
    }
    return nameOf(heard.current);
  };
  const isOlder = now !== null && version !== '' && `"${now}"` !== version;
  return { changedBy: isOlder ? nameOf(heard.current) : null, findName };
}
