/** The way in: password, link or passkey, and the second step where there is one. */

import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client.ts';
import type { Session } from '../api/objects.ts';
import { useSessionChange } from '../api/use-session.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { CodeStep } from './code-step.tsx';
import { Entrance, TextField } from './entrance.tsx';
import { describe, describeReturn, type SecondFactor, type SignInAnswer } from './sign-in-answer.ts';
import { hasPasskeys, OIDC_START, useWays } from './ways.ts';

export function SignIn() {
  const { t } = useLocale();
  const { take } = useSessionChange();
  const ways = useWays();
  useTitle(t('signIn.title'));
  const [came] = useState(readReturn);
  return (
    <Entrance title={t('signIn.title')} hint={ways?.setUp ? t('signIn.setupHint') : undefined}>
      <ErrorNotice text={came.error === null ? null : describeReturn(came.error, t)} />
      <SignInSteps done={take} factor={came.factor} />
    </Entrance>
  );
}

/** Whoever comes back from an identity provider brings along what is still missing, or why they were not let in. */
function readReturn(): { error: string | null; factor: SecondFactor | null } {
  const query = new URLSearchParams(window.location.search);
  const methods = query.get('step') === 'second-factor' ? (query.get('methods') ?? '').split(',') : [];
  return { error: query.get('error'), factor: methods.length > 0 ? { methods } : null };
}

/** In a page of its own, and in the dialog of whoever was signed out. */
export function SignInSteps({
  done,
  email: given = '',
  factor: asked = null,
}: {
  done: (session: Session) => void;
  email?: string;
  factor?: SecondFactor | null;
}) {
  const [factor, setFactor] = useState<SecondFactor | null>(asked);
  const answer = ({ session, secondFactor }: SignInAnswer) => {
    if (session) done(session);
    else if (secondFactor) setFactor(secondFactor);
  };
  if (factor) return <CodeStep factor={factor} done={done} restart={() => setFactor(null)} />;
  return <PasswordStep given={given} answer={answer} />;
}

/** Which button the form was sent by. */
type Press = 'password' | 'link' | 'reset';

function PasswordStep({ given, answer }: { given: string; answer: (of: SignInAnswer) => void }) {
  const { t } = useLocale();
  const ways = useWays();
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState('');
  const [said, setSaid] = useState<{ text: string; isError: boolean } | null>(null);
  const [isBusy, setBusy] = useState(false);
  const say = (text: string, isError = false) => setSaid({ text, isError });
  const send = async (press: Press) => {
    setBusy(true);
    setSaid(null);
    try {
      if (press === 'password') {
        answer(
          await call<SignInAnswer>({
            method: 'POST',
            store: null,
            path: '/v0/session',
            body: { email, password },
            plain: true,
          }),
        );
      } else {
        const path = press === 'link' ? '/v0/session/link' : '/v0/password-reset/request';
        await call({ method: 'POST', store: null, path, body: { email }, plain: true });
        say(t(press === 'link' ? 'signIn.linkSent' : 'signIn.resetSent'));
      }
    } catch (error) {
      say(describe(error, t), true);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void send('password');
  };
  const ask = (press: Press) => (email.trim() === '' ? say(t('signIn.emailFirst'), true) : void send(press));
  const hasPassword = ways?.password !== false;
  return (
    <form onSubmit={submit} className="stack" noValidate>
      {said ? (
        <p className={said.isError ? 'notice danger' : 'notice'} role={said.isError ? 'alert' : 'status'}>
          {said.text}
        </p>
      ) : null}
      {hasPassword ? (
        <>
          <TextField
            label={t('field.email')}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            change={setEmail}
          />
          <TextField
            label={t('field.password')}
            type="password"
            name="password"
            autoComplete="current-password"
            value={password}
            change={setPassword}
          />
          <button type="submit" className="main-button" aria-busy={isBusy}>
            {t('signIn.button')}
          </button>
          <button type="button" className="plain-button" disabled={isBusy} onClick={() => ask('link')}>
            {t('signIn.link')}
          </button>
        </>
      ) : null}
      <PasskeyButton answer={answer} fail={(error) => say(describe(error, t), true)} />
      {ways?.oidc ? (
        <a className="plain-button" href={OIDC_START}>
          {t('signIn.oidc', { name: ways.oidc.name })}
        </a>
      ) : null}
      {hasPassword ? null : <p className="soft">{t('signIn.lost')}</p>}
      <p className="centred">
        {hasPassword ? (
          // biome-ignore lint/a11y/useValidAnchor: it is named a link, and needs the address that was typed above.
          <a
            href="#forgot"
            onClick={(event) => {
              event.preventDefault();
              ask('reset');
            }}
          >
            {t('signIn.forgot')}
          </a>
        ) : null}
        {ways?.signUp ? (
          <>
            {' '}
            <Link href="/sign-up">{t('signIn.signUp')}</Link>
          </>
        ) : null}
      </p>
    </form>
  );
}

function PasskeyButton(props: { answer: (of: SignInAnswer) => void; fail: (error: unknown) => void }) {
  const { t } = useLocale();
  if (!hasPasskeys()) return null;
  const press = async () => {
    try {
      const { signInWithPasskey } = await import('./passkeys.ts');
      props.answer(await signInWithPasskey());
    } catch (error) {
      props.fail(error);
    }
  };
  return (
    <button type="button" className="plain-button" onClick={() => void press()}>
      {t('signIn.passkey')}
    </button>
  );
}
