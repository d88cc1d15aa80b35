import { Link } from 'wouter';
import { isOpenLine } from '../api/client.ts';
import { type Row, rowsOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useLocale } from '../ui/locale.tsx';
import { useStore } from './store.tsx';
import { useTestClock } from './use-clock.ts';

const MINUTE_MS = 60_000;

/** That this is the test store; and its date, where its clock was moved. */
export function TestBar() {
  const { t, time } = useLocale();
  const { zone } = useStore();
  const clock = useTestClock();
  return (
    <div className="test-bar" role="status">
      <strong>{t('test.mode')}</strong>
      {clock && clock.offsetMs > MINUTE_MS ? (
        <span>{t('test.clock', { date: time(clock.now, zone) })}</span>
      ) : null}
    </div>
  );
}

/** What holds for the whole workspace, above every screen. */
export function Banners() {
  const { t, tName, day } = useLocale();
  const { workspace, zone } = useStore();
  return (
    <>
      {isOpenLine() ? (
        <p className="banner" role="alert">
          {t('banner.http')}
        </p>
      ) : null}
      {workspace.state === 'suspended' ? <Suspended /> : null}
      {workspace.state === 'archived' ? (
        <p className="banner">
          <span>{t('banner.archived')}</span>{' '}
          {workspace.role === 'owner' ? (
            <Link href="/settings/workspace">{t('settings.workspace')}</Link>
          ) : null}
        </p>
      ) : null}
      {workspace.heldSince ? (
        <p className="banner" role="alert">
          {tName('heldReason.', workspace.heldReason ?? '')} {t('banner.held')}
        </p>
      ) : null}
      {workspace.isCopy ? <p className="banner">{t('banner.copy')}</p> : null}
      <NoProcessor />
      {workspace.warnedUntil ? (
        <p className="banner">{t('banner.warned', { date: day(workspace.warnedUntil, zone) })}</p>
      ) : null}
    </>
  );
}

/** In live nobody can pay until somebody takes the money. */
function NoProcessor() {
  const { t } = useLocale();
  const { isTest, may } = useStore();
  const read = useRead<Row>('/v0/processors/list', {
    enabled: !isTest && may('processors'),
    staleMs: MINUTE_MS,
  });
  if (!read.data || rowsOf(read.data, 'processors').some(({ status }) => status === 'active')) return null;
  return (
    <p className="banner">
      <span>{t('banner.noProcessor')}</span> <Link href="/settings/payments">{t('settings.payments')}</Link>
    </p>
  );
}

function Suspended() {
  const { t } = useLocale();
  const { workspace } = useStore();
  const { ask } = useSessionChange();
  const write = useWrite();
  const mayReactivate = workspace.role === 'owner' && workspace.stateBy === 'sweep';
  const reactivate = () =>
    write.mutate({ method: 'POST', path: '/v0/workspace/reactivate' }, { onSuccess: () => void ask() });
  return (
    <div className="banner" role="alert">
      <span>{t('banner.suspended')}</span>
      {workspace.stateBy === 'admin' ? <span>{t('workspace.byAdmin')}</span> : null}
      {mayReactivate ? (
        <button type="button" className="plain-button" disabled={write.isPending} onClick={reactivate}>
          {t('banner.reactivate')}
        </button>
      ) : null}
      {write.error ? <span>{write.error.message}</span> : null}
    </div>
  );
}
