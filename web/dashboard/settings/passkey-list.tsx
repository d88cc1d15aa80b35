/** The passkeys of an account: each has the name that its owner gave it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiError, call } from '../api/client.ts';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useTools } from '../details/tools.ts';
import { TextField } from '../session/entrance.tsx';
import { createPasskey } from '../session/passkeys.ts';
import { hasPasskeys } from '../session/ways.ts';
import { Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { tellFailure } from './tell-failure.ts';

const PATH = '/v0/account/passkeys';
const KEY = ['account', PATH];

export function Passkeys() {
  const { t } = useLocale();
  const tools = useTools();
  const client = useQueryClient();
  const { ask } = useSessionChange();
  const [name, setName] = useState('');
  const read = useQuery<{ passkeys: Row[] }, ApiError>({
    queryKey: KEY,
    queryFn: ({ signal }) => call({ store: null, path: PATH, signal }),
  });
  const passkeys = read.data?.passkeys ?? [];
  const change = async (work: () => Promise<unknown>) => {
    await work().catch(tellFailure);
    await Promise.all([ask(), client.invalidateQueries({ queryKey: KEY })]);
  };
  const add = (event: FormEvent) => {
    event.preventDefault();
    void change(async () => {
      await createPasskey(name.trim() || t('factor.thisDevice'));
      setName('');
    });
  };
  const remove = (id: string) =>
    void change(() => call({ method: 'DELETE', store: null, path: `${PATH}/${id}` }));
  return (
    <section className="part" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{t('factor.passkeys')}</h2>
      <p className="soft">{t(passkeys.length > 0 ? 'factor.passkeyText' : 'factor.noPasskeys')}</p>
      <ul className="row-list">
        {passkeys.map((one) => (
          <li key={textOf(one, 'id')}>
            <strong>{textOf(one, 'name')}</strong>
            <span className="soft">
              {t('factor.added')} <Time ms={numberOf(one, 'createdAt')} tools={tools} isDay />
            </span>
            {numberOf(one, 'lastUsedAt') === null ? null : (
              <span className="soft">
                {t('column.lastUsed')} <Time ms={numberOf(one, 'lastUsedAt')} tools={tools} />
              </span>
            )}
            <button
              type="button"
              className="quiet-button push"
              aria-label={t('factor.removePasskey', { name: textOf(one, 'name') })}
              onClick={() => remove(textOf(one, 'id'))}
            >
              {t('action.remove')}
            </button>
          </li>
        ))}
      </ul>
      {hasPasskeys() ? (
        <form className="inline-form" onSubmit={add} noValidate>
          <TextField label={t('factor.passkeyName')} value={name} change={setName} />
          <button type="submit" className="plain-button">
            {t('factor.addPasskey')}
          </button>
        </form>
      ) : (
        <p className="soft">{t('factor.noName')}</p>
      )}
    </section>
  );
}
