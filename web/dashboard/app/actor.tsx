/** Who wrote something, by the name that a person knows them by. */
import { Link } from 'wouter';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useLocale } from '../ui/locale.tsx';
import { useStore } from './store.tsx';

const STALE_MS = 60_000;

function useActors(enabled: boolean) {
  const { may } = useStore();
  const options = { query: 'take=100', staleMs: STALE_MS };
  const members = useRead<Row>('/v0/members/list', { ...options, enabled: enabled && may('members') });
  const pairs = useRead<Row>('/v0/api-keys/list', { ...options, enabled: enabled && may('api-keys') });
  const nameOf = (actor: string | null): string | null => {
    const [kind, id] = actor?.split(':') ?? [];
    if (kind === 'account') {
      const member = rowsOf(members.data, 'members').find(({ accountId }) => accountId === id);
      return textOf(member, 'name') || textOf(member, 'email') || null;
    }
    const pair = kind === 'key' ? rowsOf(pairs.data, 'apiKeys').find((one) => one.id === id) : undefined;
    return textOf(pair, 'name') || null;
  };
  return { nameOf, isLoading: members.isLoading || pairs.isLoading };
}

/** Names of members and key pairs, as far as whoever looks may read them; null = not known. */
export function useActorNames({ enabled = true } = {}): (actor: string | null) => string | null {
  return useActors(enabled).nameOf;
}

/** By name, and by what they are where nobody here knows the name; as the API tells it on hover. */
export function Actor({ actor }: { actor: string }) {
  const { tName } = useLocale();
  const { may } = useStore();
  const { nameOf, isLoading } = useActors(true);
  const [kind = '', id = ''] = actor.split(':');
  const name = nameOf(actor);
  if (name === null && isLoading) return <span title={actor} />;
  // Whoever may not read the members does not know that this is none of them any more.
  const known = kind === 'account' && !may('members') ? 'member' : kind;
  const text = <span title={actor}>{name ?? tName('actor.', known)}</span>;
  return kind === 'user' && id !== '' && may('users') ? <Link href={`/customers/${id}`}>{text}</Link> : text;
}
