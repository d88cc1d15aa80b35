/** The installation, for its admins: how it fares, its workspaces, its accounts. No store's data. */

import { notifications } from '@mantine/notifications';
import { numberOf, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { Part } from '../details/detail.tsx';
import { useTools } from '../details/tools.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Health } from './installation-health.tsx';
import { Sweep } from './installation-sweep.tsx';
import { tellFailure } from './tell-failure.ts';
import { useChange, useInstallation } from './use-installation.ts';

export default function Installation() {
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

function useVerb() {
  const { t } = useLocale();
  const change = useChange();
  return async (path: string) => {
    try {
      await change({ method: 'PATCH', path });
      notifications.show({ message: t('form.done') });
    } catch (error) {
      tellFailure(error);
    }
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
