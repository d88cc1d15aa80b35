/** How a member leaves a workspace, and how its Owner closes it and takes that back. */

import { useState } from 'react';
import { useLocation } from 'wouter';
import { numberOf, type Row } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useStore } from '../app/store.tsx';
import { DialogFrame } from '../dialogs/frame.tsx';
import { TextField } from '../session/entrance.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

/** Everybody but the Owner, who hands it over first. */
export function LeaveWorkspace() {
  const { t } = useLocale();
  const { workspace } = useStore();
  const { ask } = useSessionChange();
  const [, navigate] = useLocation();
  const [isLeaving, setLeaving] = useState(false);
  const write = useWrite();
  if (workspace.role === 'owner') return null;
  const submit = () =>
    write.mutate(
      { method: 'POST', path: '/v0/members/leave' },
      {
        onSuccess: () => {
          navigate('~/dashboard');
          void ask();
        },
      },
    );
  return (
    <div className="danger-zone">
      <h2>{t('leave.title')}</h2>
      <p className="soft">{t('leave.text', { workspace: workspace.name })}</p>
      <button type="button" className="plain-button" data-danger onClick={() => setLeaving(true)}>
        {t('leave.title')}
      </button>
      {isLeaving ? (
        <DialogFrame
          title={t('leave.title')}
          text={t('leave.text', { workspace: workspace.name })}
          confirm={t('leave.title')}
          isDanger
          isBusy={write.isPending}
          error={write.error}
          close={() => setLeaving(false)}
          submit={submit}
        />
      ) : null}
    </div>
  );
}

const REOPEN_MS = 30 * 86_400_000;

export function EndOfWorkspace({ own, changed }: { own: Row; changed: () => void }) {
  const { t, day } = useLocale();
  const { workspace, zone } = useStore();
  const [isClosing, setClosing] = useState(false);
  const write = useWrite();
  if (workspace.role !== 'owner') return null;
  const isTaken = workspace.state === 'suspended' || workspace.state === 'archived';
  const verb = workspace.stateBy === 'owner' ? 'reopen' : 'reactivate';
  const takeBack = () =>
    write.mutate({ method: 'POST', path: `/v0/workspace/${verb}` }, { onSuccess: changed });
  const until = (numberOf(own, 'stateSince') ?? 0) + REOPEN_MS;
  return (
    <div className="danger-zone">
      <ErrorNotice text={write.error?.message} />
      {!isTaken ? (
        <>
          <h2>{t('workspace.close')}</h2>
          <p className="soft">{t('workspace.closeText')}</p>
          <button type="button" className="plain-button" data-danger onClick={() => setClosing(true)}>
            {t('workspace.close')}
          </button>
        </>
      ) : workspace.stateBy === 'admin' ? (
        <p className="notice">{t('workspace.byAdmin')}</p>
      ) : (
        <>
          <h2>{t(verb === 'reopen' ? 'workspace.reopen' : 'workspace.reactivate')}</h2>
          <p className="soft">{t('workspace.backUntil', { date: day(until, zone) })}</p>
          <button type="button" className="main-button" disabled={write.isPending} onClick={takeBack}>
            {t(verb === 'reopen' ? 'workspace.reopen' : 'workspace.reactivate')}
          </button>
        </>
      )}
      {isClosing ? (
        <CloseDialog
          close={() => {
            setClosing(false);
            changed();
          }}
        />
      ) : null}
    </div>
  );
}

function CloseDialog({ close }: { close: () => void }) {
  const { t } = useLocale();
  const { workspace } = useStore();
  const [name, setName] = useState('');
  const [withSubscriptions, setWithSubscriptions] = useState(false);
  const write = useWrite();
  const submit = () =>
    write.mutate(
      { method: 'POST', path: '/v0/workspace/close', body: { name, cancelSubscriptions: withSubscriptions } },
      { onSuccess: close },
    );
  return (
    <DialogFrame
      title={t('workspace.close')}
      text={t('workspace.closeText')}
      confirm={t('workspace.close')}
      isDanger
      isBusy={write.isPending}
      isOff={name !== workspace.name}
      error={write.error}
      close={close}
      submit={submit}
    >
      <TextField label={t('workspace.typeName', { name: workspace.name })} value={name} change={setName} />
      <label className="check-row">
        <input
          type="checkbox"
          checked={withSubscriptions}
          onChange={() => setWithSubscriptions(!withSubscriptions)}
        />
        {t('workspace.cancelSubscriptions')}
      </label>
    </DialogFrame>
  );
}
