import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ApiError, call } from '../api/client.ts';
import type { Row } from '../api/objects.ts';

/** What only admins of the installation read: of no workspace. */
export const useInstallation = (path: string) =>
  useQuery<Row, ApiError>({
    queryKey: ['account', path],
    queryFn: ({ signal }) => call({ store: null, path: `/v0/installation/${path}`, signal }),
  });

/** A write, after which all that is shown is read anew. */
export function useChange() {
  const client = useQueryClient();
  return async (of: { method: 'POST' | 'PATCH'; path: string; body?: unknown }): Promise<Row> => {
    const answer = await call<Row>({ ...of, store: null, path: `/v0/installation/${of.path}` });
    await client.invalidateQueries({ queryKey: ['account'] });
    return answer;
  };
}
