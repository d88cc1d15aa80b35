/** The two questions of the gate. */

import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { useKnownSession, useSessionChange } from '../api/use-session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { TextField } from './entrance.tsx';
import { SignInSteps } from './sign-in.tsx';
import { describe } from './sign-in-answer.ts';
import { hasPasskeys, OIDC_START, PROVED, useWays } from './ways.ts';

export type Question = 'signIn' | 'prove';

export default function GateDialogs(props: { question: Question; answer: (isDone: boolean) => void }) {
  const { t } = useLocale();
  const { question, answer } = props;
  useReturnFocus();
  if (question === 'signIn') {
    return (
      <Dialog onClose={() => answer(false)} title={t('gate.signedOut')} leavesFreely>
        <SignedOut done={() => answer(true)} />
      </Dialog>
    );
  }
  return (
    <Dialog onClose={() => answer(false)} title={t('gate.prove')} leavesFreely>
      <Proof done={() => answer(true)} />
    </Dialog>
  );
}

function SignedOut({ done }: { done: () => void }) {
  const { t } = useLocale();
  const data = useKnownSession();
  const { take } = useSessionChange();
  return (
    <>
      <p className="soft">{t('gate.signedOutText')}</p>
      <SignInSteps
        email={data?.account.email ?? ''}
        done={(session) => {
          take(session);
          done();
        }}
      />
    </>
  );
}

type Way = 'password' | 'totp';

function Proof({ done }: { done: () => void }) {
  const { t } = useLocale();
  const data = useKnownSession();
  const { ask } = useSessionChange();
  const ways = useWays();
  const account = data?.account;
  const { totp = false, passkeys = 0 } = account?.secondFactor ?? {};
  const hasPassword = account?.hasPassword !== false && ways?.password !== false;
  const [chosen, choose] = useState<Way | null>(null);
  const way: Way | null = chosen ?? (totp ? 'totp' : hasPassword ? 'password' : null);
  const [secret, setSecret] = useState('');
  const [error, setError] = useState<string | null>(null);
  const prove = async (work: () => Promise<unknown>) => {
    try {
      await work();
      await ask();
      done();
    } catch (caught) {
      setError(describe(caught, t));
    }
  };
  useProofElsewhere(() => void prove(async () => {}));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = way === 'totp' ? { method: 'totp', code: secret.trim() } : { password: secret };
    void prove(() =>
      call({ method: 'POST', store: null, path: '/v0/session/reauthenticate', body, plain: true }),
    );
  };
  const isCode = way === 'totp';
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p className="soft">{t('gate.proveText')}</p>
      {way === null ? null : (
        <>
          <TextField
            key={way}
            label={t(isCode ? 'field.code' : 'field.password')}
            type={isCode ? 'text' : 'password'}
            autoComplete={isCode ? 'one-time-code' : 'current-password'}
            inputMode={isCode ? 'numeric' : 'text'}
            value={secret}
            error={error}
            change={setSecret}
          />
          <button type="submit" className="main-button">
            {t('confirm')}
          </button>
        </>
      )}
      <ErrorNotice text={way === null ? error : null} />
      {totp && hasPassword ? (
        <button
          type="button"
          className="plain-button"
          onClick={() => {
            choose(isCode ? 'password' : 'totp');
            setSecret('');
          }}
        >
          {t(isCode ? 'gate.usePassword' : 'signIn.useCode')}
        </button>
      ) : null}
      {passkeys > 0 && hasPasskeys() ? (
        <button
          type="button"
          className="plain-button"
          onClick={() => void prove(async () => (await import('./passkeys.ts')).proveWithPasskey())}
        >
          {t('signIn.passkey')}
        </button>
      ) : null}
      {ways?.oidc ? (
        <a className="plain-button" href={`${OIDC_START}?purpose=prove`} target="_blank" rel="noreferrer">
          {t('signIn.oidc', { name: ways.oidc.name })}
        </a>
      ) : null}
    </form>
  );
}

/** The identity provider is asked in a tab of its own, so that nothing typed here is lost. */
function useProofElsewhere(proved: () => void): void {
  const told = useRef(proved);
  told.current = proved;
  useEffect(() => {
    const channel = new BroadcastChannel(PROVED);
    channel.onmessage = () => told.current();
    return () => channel.close();
  }, []);
}
