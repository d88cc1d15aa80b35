/** The second factor: an app's codes, codes written down, passkeys. */
import { type FormEvent, Suspense, useState } from 'react';
import { ApiError, call } from '../api/client.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useStore } from '../app/store.tsx';
import { Code } from '../details/detail.tsx';
import { TextField } from '../session/entrance.tsx';
import { CopyButton } from '../ui/failure.tsx';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Passkeys } from './passkey-list.tsx';
import { tellFailure } from './tell-failure.ts';

const QrCode = later(() => import('../ui/qr-code.tsx'));

export function Factors() {
  const { t } = useLocale();
  const { session } = useStore();
  const { ask } = useSessionChange();
  const [codes, setCodes] = useState<string[] | null>(null);
  const { totp, passkeys, recoveryCodes } = session.account.secondFactor;
  const remove = async () => {
    await call({ method: 'DELETE', store: null, path: '/v0/account/totp' }).catch(tellFailure);
    setCodes(null);
    await ask();
  };
  const renew = async () => {
    try {
      const path = '/v0/account/recovery-codes';
      const answer = await call<{ recoveryCodes: string[] }>({ method: 'POST', store: null, path });
      setCodes(answer.recoveryCodes);
      await ask();
    } catch (error) {
      tellFailure(error);
    }
  };
  return (
    <>
      <section className="part" aria-labelledby="totp-title">
        <h2 id="totp-title">{t('factor.title')}</h2>
        <p className="soft">{t(totp ? 'factor.on' : passkeys > 0 ? 'factor.onlyPasskey' : 'factor.off')}</p>
        {totp ? (
          <div className="button-row">
            <button type="button" className="plain-button" data-danger onClick={() => void remove()}>
              {t('factor.remove')}
            </button>
          </div>
        ) : (
          <Enrol done={setCodes} />
        )}
      </section>
      {totp || passkeys > 0 ? (
        <section className="part" aria-labelledby="recovery-title">
          <h2 id="recovery-title">{t('factor.recovery')}</h2>
          <p className="soft">{t('factor.codesLeft', { count: recoveryCodes })}</p>
          {codes && codes.length > 0 ? (
            <>
              <p className="notice">{t('factor.keepCodes')}</p>
              <Code name={t('factor.recovery')} text={codes.join('\n')} label={t('factor.copyCodes')} />
            </>
          ) : null}
          <button type="button" className="plain-button" onClick={() => void renew()}>
            {t('factor.newCodes')}
          </button>
        </section>
      ) : null}
      <Passkeys />
    </>
  );
}

interface Begun {
  secret: string;
  uri: string;
}

function Enrol({ done }: { done: (codes: string[]) => void }) {
  const { t } = useLocale();
  const { ask } = useSessionChange();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const begin = async () => {
    try {
      const path = '/v0/account/totp/begin';
      setBegun((await call<{ totp: Begun }>({ method: 'POST', store: null, path })).totp);
    } catch (caught) {
      tellFailure(caught);
    }
  };
  const confirm = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const path = '/v0/account/totp/confirm';
      const body = { code: code.trim() };
      const answer = await call<{ recoveryCodes?: string[] }>({ method: 'POST', store: null, path, body });
      done(answer.recoveryCodes ?? []);
      await ask();
    } catch (caught) {
      setError(caught instanceof ApiError ? caught.message : String(caught));
    }
  };
  if (!begun) {
    return (
      <button type="button" className="plain-button" onClick={() => void begin()}>
        {t('factor.enrol')}
      </button>
    );
  }
  return (
    <form className="stack" onSubmit={(event) => void confirm(event)} noValidate>
      <p>{t('factor.enter')}</p>
      <Suspense fallback={<div className="qr-code" />}>
        <QrCode text={begun.uri} label={t('factor.qr')} />
      </Suspense>
      <p className="copyable">
        <code>{begun.secret}</code> <CopyButton text={begun.secret} label={t('copy.this')} />
      </p>
      <p>
        <a href={begun.uri}>{t('factor.openApp')}</a>
      </p>
      <TextField
        label={t('field.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={error}
        change={setCode}
      />
      <button type="submit" className="main-button">
        {t('confirm')}
      </button>
    </form>
  );
}
