import { useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Once } from '../forms/once.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

/** Who was asked and has not answered. */
export function Invitations() {
  const { t, tName, day } = useLocale();
  const { may, zone } = useStore();
  const [url, setUrl] = useState<string | null>(null);
  const write = useWrite<Row>();
  const read = useRead<{ invitations: Row[] }>('/v0/invitations/list', { enabled: may('members') });
  const open = (read.data?.invitations ?? []).filter((one) => !one.acceptedAt && !one.revokedAt);
  const resend = (id: string) =>
    write.mutate(
      { method: 'POST', path: `/v0/invitations/${id}/resend` },
      { onSuccess: (data) => setUrl(textOf(data, 'url')) },
    );
  const revoke = (id: string) => write.mutate({ method: 'DELETE', path: `/v0/invitations/${id}/revoke` });
  return (
    <>
      {open.length === 0 ? null : (
        <section className="part" aria-labelledby="invitations">
          <h2 id="invitations">{t('team.invitations')}</h2>
          <ErrorNotice text={write.error?.message} />
          <ul className="row-list">
            {open.map((one) => {
              const email = textOf(one, 'email');
              const until = day(numberOf(one, 'expiresAt') ?? 0, zone);
              return (
                <li key={textOf(one, 'id')}>
                  <strong>{email}</strong>
                  <span>{tName('role.', textOf(one, 'role'))}</span>
                  <span className="soft">
                    {textOf(one, 'state') === 'expired'
                      ? t('team.expired')
                      : t('team.until', { date: until })}
                  </span>
                  {may('members', 'write') ? (
                    <span className="button-row push">
                      <button
                        type="button"
                        className="quiet-button"
                        aria-label={t('team.resendTo', { email })}
                        onClick={() => resend(textOf(one, 'id'))}
                      >
                        {t('action.resend')}
                      </button>
                      <button
                        type="button"
                        className="quiet-button"
                        aria-label={t('team.revokeOf', { email })}
                        onClick={() => revoke(textOf(one, 'id'))}
                      >
                        {t('action.revoke')}
                      </button>
                    </span>
                  ) : null}
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {url === null ? null : (
        <Dialog onClose={() => setUrl(null)} title={t('team.newLink')}>
          <Once secrets={{ url }} close={() => setUrl(null)} />
        </Dialog>
      )}
    </>
  );
}
