/** A key pair by the name that people know it by. */
import { nameOrId, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';

/** More than a store may have; those that are over are still in the log. */
const QUERY = 'take=100&withEnded=true';
const STALE_MS = 60_000;

/** All rows of a list share one answer. Who may not read key pairs, and whose pair is none of them, sees its id. */
export function KeyName({ id }: { id: string }) {
  const { may } = useStore();
  const enabled = may('api-keys');
  const read = useRead('/v0/api-keys/list', { query: QUERY, enabled, staleMs: STALE_MS });
  const pair = rowsOf(read.data, 'apiKeys').find((one) => one.id === id);
  const name = textOf(pair ?? {}, 'name');
  return (
    <span className={name === '' ? 'code-text cut' : 'cut'} title={id}>
      {nameOrId(name, id, read.isLoading)}
    </span>
  );
}
