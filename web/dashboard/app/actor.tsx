/** Who wrote something, by the name that a person knows them by. */
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from './store.tsx';

const STALE_MS = 60_000;

/** Names of members and key pairs, as far as whoever looks may read them; null = not known. */
export function useActorNames({ enabled = true } = {}): (actor: string | null) => string | null {
  const { may } = useStore();
  const options = { query: 'take=100', staleMs: STALE_MS };
  const members = useRead<Row>('/v0/members/list', { ...options, enabled: enabled && may('members') });
  const pairs = useRead<Row>('/v0/api-keys/list', { ...options, enabled: enabled && may('api-keys') });
  return (actor) => {
    const [kind, id] = actor?.split(':') ?? [];
    if (kind === 'account') {
      const member = rowsOf(members.data, 'members').find(({ accountId }) => accountId === id);
      return textOf(member, 'name') || textOf(member, 'email') || null;
    }
    const pair = kind === 'key' ? rowsOf(pairs.data, 'apiKeys').find((one) => one.id === id) : undefined;
    return textOf(pair, 'name') || null;
  };
}

/** By name, and as the API tells it where nobody here knows the name. */
export function Actor({ actor }: { actor: string }) {
  const name = useActorNames()(actor);
  return name === null ? <span className="code-text">{actor}</span> : <span title={actor}>{name}</span>;
}
