/** One store: who may see it, its frame, and the screen that the address names. */

import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { Router } from 'wouter';
import { type ApiError, call } from '../api/client.ts';
import type { Row, Session } from '../api/objects.ts';
import { textOf } from '../api/objects.ts';
import { toQueryKey } from '../api/use-api.ts';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { Frame } from './frame.tsx';
import { keepStore } from './last-store.ts';
import { Screens } from './screens.tsx';
import { type Access, isWritable, mayDo, StoreProvider, type StoreView } from './store.tsx';

export default function Workspace(props: { session: Session; workspaceId: string; mode: string }) {
  const { session, workspaceId } = props;
  const { t } = useLocale();
  const workspace = session.workspaces.find(({ id }) => id === workspaceId);
  const mode = props.mode === 'live' || props.mode === 'test' ? props.mode : null;
  if (!workspace || !mode) {
    return (
      <Lonely
        title={t('workspace.unknown')}
        text={t('workspace.unknownText')}
        to="/"
        action={t('workspace.toOwn')}
      />
    );
  }
  return <Opened key={`${workspaceId}/${mode}`} session={session} workspaceId={workspaceId} mode={mode} />;
}

function Opened({
  session,
  workspaceId,
  mode,
}: {
  session: Session;
  workspaceId: string;
  mode: 'live' | 'test';
}) {
  const workspace = session.workspaces.find(({ id }) => id === workspaceId);
  if (!workspace) throw new Error('the workspace was left');
  const store = useMemo(() => ({ workspaceId, mode }), [workspaceId, mode]);
  const may = useCallback(
    (area: string, access: Access = 'read') => mayDo(workspace, mode, area, access),
    [workspace, mode],
  );
  const zone = useZone(store, may('settings'));
  useEffect(() => keepStore(store), [store]);
  const view: StoreView = useMemo(
    () => ({
      store,
      workspace,
      session,
      isTest: mode === 'test',
      base: `/${workspaceId}/${mode}`,
      zone,
      may,
      isWritable: isWritable(workspace),
    }),
    [store, workspace, session, mode, workspaceId, zone, may],
  );
  return (
    <StoreProvider value={view}>
      <Router base={view.base}>
        <Frame>
          <Screens />
        </Frame>
      </Router>
    </StoreProvider>
  );
}

const HOUR_MS = 3_600_000;

/** In which the store tells times: its setting, and for whoever may not read those, what everybody is told. */
function useZone(store: { workspaceId: string; mode: 'live' | 'test' }, readsSettings: boolean): string {
  const path = readsSettings ? '/v0/settings' : '/v0/whoami';
  const { data } = useQuery<Row, ApiError>({
    queryKey: toQueryKey(store, path),
    queryFn: ({ signal }) => call<Row>({ store, path, signal }),
    staleTime: HOUR_MS,
  });
  const told = data?.settings;
  return textOf(typeof told === 'object' && told !== null ? (told as Row) : data, 'timezone') || 'UTC';
}
