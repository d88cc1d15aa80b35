import { type FormEvent, useState } from 'react';
import { call } from '../api/client.ts';
import type { Session } from '../api/objects.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { TextField } from './entrance.tsx';
import { describe, type SecondFactor } from './sign-in-answer.ts';
import { hasPasskeys } from './ways.ts';

type Written = 'totp' | 'recovery_code';

/** The step after the password: a code of the app, one of those that were written down, or a passkey. */
export function CodeStep(props: {
  factor: SecondFactor;
  done: (session: Session) => void;
  restart: () => void;
}) {
  const { t } = useLocale();
  const { methods } = props.factor;
  const [method, setMethod] = useState<Written>(methods.includes('totp') ? 'totp' : 'recovery_code');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const show = async (toBody: () => Promise<unknown>) => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const body = await toBody();
      const path = '/v0/session/second-factor';
      const { session } = await call<{ session: Session }>({
        method: 'POST',
        store: null,
        path,
        body,
        plain: true,
      });
      props.done(session);
    } catch (caught) {
      setError(describe(caught, t));
      setCode('');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void show(async () => ({ method, code: code.trim() }));
  };
  const showPasskey = () =>
    void show(async () => ({
      method: 'passkey',
      assertion: await (await import('./passkeys.ts')).assertPasskey(),
    }));
  const hasWritten = methods.includes('totp') || methods.includes('recovery_code');
  return (
    <form onSubmit={submit} className="stack" noValidate>
      <ErrorNotice text={error} />
      {hasWritten ? (
        <>
          <TextField
            label={t(method === 'totp' ? 'field.code' : 'field.recoveryCode')}
            name="code"
            autoComplete="one-time-code"
            inputMode={method === 'totp' ? 'numeric' : 'text'}
            value={code}
            change={setCode}
            hint={t(method === 'totp' ? 'signIn.codeHint' : 'signIn.recoveryHint')}
          />
          <button type="submit" className="main-button" aria-busy={isBusy}>
            {t('signIn.button')}
          </button>
        </>
      ) : null}
      {methods.includes('passkey') && hasPasskeys() ? (
        <button type="button" className="plain-button" disabled={isBusy} onClick={showPasskey}>
          {t('signIn.passkey')}
        </button>
      ) : null}
      {methods.includes('totp') && methods.includes('recovery_code') ? (
        <button
          type="button"
          className="plain-button"
          onClick={() => setMethod(method === 'totp' ? 'recovery_code' : 'totp')}
        >
          {t(method === 'totp' ? 'signIn.useRecovery' : 'signIn.useCode')}
        </button>
      ) : null}
      <p className="soft">{t('signIn.lost')}</p>
      <button type="button" className="link-button" onClick={props.restart}>
        {t('signIn.restart')}
      </button>
    </form>
  );
}
