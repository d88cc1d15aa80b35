import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiError, call } from '../api/client.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useStore } from '../app/store.tsx';

const PATH = '/v0/workspaces/list';
const KEY = ['account', PATH];

/** The workspace with all that its members are told of it, in every state; `changed` after a change of it. */
export function useOwnWorkspace() {
  const { workspace } = useStore();
  const client = useQueryClient();
  const { ask } = useSessionChange();
  const read = useQuery<{ workspaces: Row[] }, ApiError>({
    queryKey: KEY,
    queryFn: ({ signal }) => call({ store: null, path: PATH, signal }),
  });
  return {
    read,
    own: read.data?.workspaces.find((one) => textOf(one, 'id') === workspace.id),
    changed: () => Promise.all([client.invalidateQueries({ queryKey: KEY }), ask()]),
  };
}
