/** The installation, for its admins: how it fares, its workspaces, its accounts. No store's data. */

import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, call } from '../api/client.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { Code, Part } from '../details/detail.tsx';
import { useTools } from '../details/tools.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';

function useInstallation(path: string) {
  return useQuery<Row, ApiError>({
    queryKey: ['account', path],
    queryFn: ({ signal }) => call({ store: null, path: `/v0/installation/${path}`, signal }),
  });
}

export default function Installation() {
  const { t } = useLocale();
  useTitle(t('installation.title'));
  const status = useInstallation('status');
  const sweep = useInstallation('sweep');
  return (
    <section className="sheet list-screen" aria-labelledby="installation-title">
      <div className="sheet-head">
        <h1 id="installation-title">{t('installation.title')}</h1>
      </div>
      <ErrorNotice text={status.error?.message} />
      {status.data ? (
        <Code
          name={t('installation.status')}
          text={JSON.stringify(rowOf(status.data, 'status') ?? status.data, null, 2)}
        />
      ) : null}
      <Workspaces />
      <Accounts />
      {sweep.data ? <Code name={t('installation.sweep')} text={JSON.stringify(sweep.data, null, 2)} /> : null}
    </section>
  );
}

function useVerb() {
  const { t } = useLocale();
  const client = useQueryClient();
  return async (path: string) => {
    try {
      await call({ method: 'PATCH', store: null, path: `/v0/installation/${path}` });
      notifications.show({ message: t('form.done') });
    } catch (error) {
      notifications.show({
        color: 'danger',
        message: error instanceof ApiError ? error.message : String(error),
      });
    }
    await client.invalidateQueries({ queryKey: ['account'] });
  };
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  active: ['suspend', 'archive'],
  warned: ['suspend', 'archive'],
  suspended: ['reactivate', 'archive'],
  archived: ['unarchive'],
};

function Workspaces() {
  const { t, tName, number } = useLocale();
  const tools = useTools();
  const read = useInstallation('workspaces/list');
  const act = useVerb();
  return (
    <Part id="workspaces" title={t('installation.workspaces')}>
      <ul className="row-list">
        {rowsOf(read.data, 'workspaces').map((one) => (
          <li key={textOf(one, 'id')}>
            <Stamp status={textOf(one, 'state')} tools={tools} />
            <strong>{textOf(one, 'name')}</strong>
            <span className="soft">{textOf(one, 'ownerEmail') || textOf(rowOf(one, 'owner'), 'email')}</span>
            <span>{t('installation.paidOrders', { count: number(numberOf(one, 'paidOrders') ?? 0) })}</span>
            <Time ms={numberOf(one, 'lastActiveAt')} tools={tools} isDay />
            {(VERBS[textOf(one, 'state')] ?? []).map((verb) => (
              <button
                key={verb}
                type="button"
                className="quiet-button"
                onClick={() => void act(`workspaces/${textOf(one, 'id')}/${verb}`)}
              >
                {tName('verb.', verb)}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Accounts() {
  const { t, tName } = useLocale();
  const read = useInstallation('accounts/list');
  const act = useVerb();
  return (
    <Part id="accounts" title={t('installation.accounts')}>
      <ul className="row-list">
        {rowsOf(read.data, 'accounts').map((one) => {
          const verb = numberOf(one, 'disabledAt') === null ? 'disable' : 'enable';
          return (
            <li key={textOf(one, 'id')}>
              <strong>{textOf(one, 'email')}</strong>
              <span>{textOf(one, 'name')}</span>
              <button
                type="button"
                className="quiet-button"
                onClick={() => void act(`accounts/${textOf(one, 'id')}/${verb}`)}
              >
                {tName('verb.', verb)}
              </button>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
