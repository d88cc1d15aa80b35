/** The installation, for its admins: how it fares, its workspaces, its accounts. No store's data. */

import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../api/client.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { Part } from '../details/detail.tsx';
import { useTools } from '../details/tools.ts';
import { DialogFrame } from '../dialogs/frame.tsx';
import { Stamp, Time } from '../ui/cells.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import type { TextKey } from '../ui/texts.ts';
import { useTitle } from '../ui/use-title.ts';
import { Health } from './installation-health.tsx';
import { Sweep } from './installation-sweep.tsx';
import { tellFailure } from './tell-failure.ts';
import { useChange, useInstallation } from './use-installation.ts';

/** To whoever does not run it all of it is as if it were not there. */
export default function Installation() {
  const { t } = useLocale();
  const { session } = useStore();
  if (session.account.installationAdmin) return <Whole />;
  return <Lonely title={t('noAccess.title')} text={t('noAccess.text')} to="/" action={t('nav.home')} />;
}

function Whole() {
  const { t } = useLocale();
  useTitle(t('installation.title'));
  const status = useInstallation('status');
  return (
    <section className="sheet list-screen" aria-labelledby="installation-title">
      <div className="sheet-head">
        <h1 id="installation-title">{t('installation.title')}</h1>
      </div>
      <ErrorNotice text={status.error?.message} />
      {status.data ? <Health status={rowOf(status.data, 'status') ?? status.data} /> : null}
      <Workspaces />
      <Accounts />
      <Sweep />
    </section>
  );
}

/** What is taken from somebody is asked for twice. */
const QUESTIONS: Readonly<Record<string, TextKey>> = {
  suspend: 'installation.suspendText',
  archive: 'installation.archiveText',
  disable: 'installation.disableText',
};

interface VerbProps {
  verb: string;
  /** What it is done to: its name, and the id of the element that bears it. */
  name: string;
  of: string;
  path: string;
}

function Verb({ verb, name, of, path }: VerbProps) {
  const { t, tName } = useLocale();
  const change = useChange();
  const [isAsked, setAsked] = useState(false);
  const write = useMutation<Row, ApiError>({
    mutationFn: () => change({ method: 'PATCH', path }),
    onSuccess: () => {
      setAsked(false);
      notifications.show({ message: t('form.done') });
    },
    onError: (error) => (isAsked ? undefined : tellFailure(error)),
  });
  const question = QUESTIONS[verb];
  const label = tName('verb.', verb);
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        aria-describedby={of}
        aria-busy={write.isPending}
        onClick={() => (question ? setAsked(true) : write.mutate())}
      >
        {label}
      </button>
      {isAsked && question ? (
        <DialogFrame
          title={`${label}: ${name}`}
          text={t(question)}
          confirm={label}
          isDanger
          isBusy={write.isPending}
          error={write.error}
          close={() => setAsked(false)}
          submit={() => write.mutate()}
        />
      ) : null}
    </>
  );
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  active: ['suspend', 'archive'],
  warned: ['suspend', 'archive'],
  suspended: ['reactivate', 'archive'],
  archived: ['unarchive'],
};

interface RowsProps {
  path: string;
  rowsIn: string;
  draw: (row: Row) => ReactNode;
  cursor?: string;
}

/** A page of them, and the next one below once it is wished for. */
function Rows({ path, rowsIn, draw, cursor }: RowsProps) {
  const { t } = useLocale();
  const [hasNext, setNext] = useState(false);
  const read = useInstallation(`${path}?take=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
  return (
    <Loaded read={read}>
      {(data) => (
        <>
          <ul className="row-list">
            {rowsOf(data, rowsIn).map((row) => (
              <li key={textOf(row, 'id')}>{draw(row)}</li>
            ))}
          </ul>
          {data.hasMore !== true ? null : hasNext ? (
            <Rows path={path} rowsIn={rowsIn} draw={draw} cursor={textOf(data, 'cursor')} />
          ) : (
            <button type="button" className="plain-button" onClick={() => setNext(true)}>
              {t('list.more')}
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

function Workspaces() {
  const { t, number } = useLocale();
  const tools = useTools();
  const draw = (one: Row) => {
    const [id, name, state] = [textOf(one, 'id'), textOf(one, 'name'), textOf(one, 'state')];
    return (
      <>
        <Stamp status={state} tools={tools} />
        <strong id={`workspace-${id}`}>{name}</strong>
        <span className="soft">{textOf(one, 'ownerEmail') || textOf(rowOf(one, 'owner'), 'email')}</span>
        <span>{t('installation.paidOrders', { count: number(numberOf(one, 'paidOrders') ?? 0) })}</span>
        <Time ms={numberOf(one, 'lastActiveAt')} tools={tools} isDay />
        {(VERBS[state] ?? []).map((verb) => (
          <Verb key={verb} verb={verb} name={name} of={`workspace-${id}`} path={`workspaces/${id}/${verb}`} />
        ))}
      </>
    );
  };
  return (
    <Part id="workspaces" title={t('installation.workspaces')}>
      <Rows path="workspaces/list" rowsIn="workspaces" draw={draw} />
    </Part>
  );
}

function Accounts() {
  const { t } = useLocale();
  const draw = (one: Row) => {
    const [id, email] = [textOf(one, 'id'), textOf(one, 'email')];
    const verb = numberOf(one, 'disabledAt') === null ? 'disable' : 'enable';
    return (
      <>
        <strong id={`account-${id}`}>{email}</strong>
        <span>{textOf(one, 'name')}</span>
        <span className="push">
          <Verb key={verb} verb={verb} name={email} of={`account-${id}`} path={`accounts/${id}/${verb}`} />
        </span>
      </>
    );
  };
  return (
    <Part id="accounts" title={t('installation.accounts')}>
      <Rows path="accounts/list" rowsIn="accounts" draw={draw} />
    </Part>
  );
}
