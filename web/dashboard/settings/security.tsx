/** What the workspace asks of its members, and who does not have it yet. */

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type Row, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { useOwnWorkspace } from './use-own-workspace.ts';

export function SecuritySettings() {
  const { t } = useLocale();
  useTitle(t('settings.security'));
  const { session, may } = useStore();
  const { read, own, changed } = useOwnWorkspace();
  const write = useWrite();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const members = useRead<{ members: Row[] }>('/v0/members/list', {
    query: 'take=100',
    enabled: may('members'),
  });
  const without = (members.data?.members ?? []).filter((one) => one.hasSecondFactor !== true);
  const { totp, passkeys } = session.account.secondFactor;
  const toggle = (isAsked: boolean) => {
    setPressed(isAsked);
    write.mutate(
      { method: 'PATCH', path: '/v0/workspace/update', body: { requireSecondFactor: isAsked } },
      {
        onSuccess: () => {
          notifications.show({ message: t('form.done') });
          void changed();
        },
        onError: () => setPressed(null),
      },
    );
  };
  return (
    <section className="sheet form-sheet" aria-labelledby="security-title">
      <div className="sheet-head">
        <h1 id="security-title">{t('settings.security')}</h1>
      </div>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ErrorNotice text={write.error?.message} />
      {own ? (
        <div className="text-field">
          <label className="check-row">
            <input
              type="checkbox"
              checked={pressed ?? own.requireSecondFactor === true}
              disabled={!may('workspace', 'write') || write.isPending}
              onChange={(event) => toggle(event.currentTarget.checked)}
            />
            {t('field.requireSecondFactor')}
          </label>
          <p className="field-hint">{t('security.text')}</p>
        </div>
      ) : null}
      {!totp && passkeys === 0 ? <p className="notice">{t('security.youLack')}</p> : null}
      <section className="part" aria-labelledby="without-title">
        <h2 id="without-title">{t('security.without')}</h2>
        {without.length === 0 ? (
          <p className="soft">{t('security.nobody')}</p>
        ) : (
          <ul className="row-list">
            {without.map((one) => (
              <li key={textOf(one, 'id')}>
                <strong>{textOf(one, 'name') || textOf(one, 'email')}</strong>
                <span className="soft">{textOf(one, 'email')}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </section>
  );
}
