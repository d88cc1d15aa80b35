/** Pages behind mailed links. Opening one changes nothing, since scanners open links: only its button does. */

import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call } from '../api/client.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useSession, useSessionChange } from '../api/use-session.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { useTitle } from '../ui/use-title.ts';
import { CodeStep } from './code-step.tsx';
import { Entrance, TextField } from './entrance.tsx';
import { AccountFields, toErrors, WorkspaceFields } from './setup.tsx';
import { SignInSteps } from './sign-in.tsx';
import { describe, type SecondFactor, type SignInAnswer } from './sign-in-answer.ts';
import { useFormErrors } from './use-form-errors.ts';
import { useFragment } from './use-fragment.ts';

type Kind = 'link' | 'reset' | 'email' | 'invitation' | 'sign-up';

export default function Links({ kind }: { kind: Kind }) {
  const token = useFragment();
  const { t } = useLocale();
  if (kind === 'sign-up') return <SignUp token={token} />;
  if (token === '')
    return <Lonely title={t('link.dead')} text={t('link.deadText')} to="/" action={t('link.toSignIn')} />;
  if (kind === 'link') return <OpenLink token={token} />;
  if (kind === 'email') return <ConfirmEmail token={token} />;
  return kind === 'reset' ? <Reset token={token} /> : <Invitation token={token} />;
}

/** Of the letter to a new address: whoever opens it need not be signed in. */
function ConfirmEmail({ token }: { token: string }) {
  const { t } = useLocale();
  useTitle(t('email.title'));
  const { ask } = useSessionChange();
  const [error, setError] = useState<string | null>(null);
  const [isDone, setDone] = useState(false);
  if (isDone)
    return (
      <Lonely title={t('email.done')} text={t('email.doneText')} to="/" action={t('email.toDashboard')} />
    );
  const confirm = async () => {
    try {
      const path = '/v0/account/email/confirm';
      await call({ method: 'POST', store: null, path, body: { token }, plain: true });
      await ask();
      setDone(true);
    } catch (caught) {
      setError(describe(caught, t));
    }
  };
  return (
    <Entrance title={t('email.title')} text={t('email.text')}>
      <div className="stack">
        <ErrorNotice text={error} />
        <button type="button" className="main-button" onClick={() => void confirm()}>
          {t('email.button')}
        </button>
      </div>
    </Entrance>
  );
}

function OpenLink({ token }: { token: string }) {
  const { t } = useLocale();
  useTitle(t('signIn.title'));
  const { take } = useSessionChange();
  const [, navigate] = useLocation();
  const [factor, setFactor] = useState<SecondFactor | null>(null);
  const [error, setError] = useState<string | null>(null);
  const open = async () => {
    try {
      const path = '/v0/session/link/open';
      const answer = await call<SignInAnswer>({
        method: 'POST',
        store: null,
        path,
        body: { token },
        plain: true,
      });
      if (answer.session) {
        take(answer.session);
        navigate('/', { replace: true });
      } else if (answer.secondFactor) setFactor(answer.secondFactor);
    } catch (caught) {
      setError(describe(caught, t));
    }
  };
  if (factor) {
    return (
      <Entrance title={t('signIn.title')}>
        <CodeStep
          factor={factor}
          done={(session) => {
            take(session);
            navigate('/', { replace: true });
          }}
          restart={() => navigate('/')}
        />
      </Entrance>
    );
  }
  return (
    <Entrance title={t('signIn.title')} text={t('link.text')}>
      <div className="stack">
        <ErrorNotice text={error} />
        <button type="button" className="main-button" onClick={() => void open()}>
          {t('signIn.button')}
        </button>
      </div>
    </Entrance>
  );
}

function Reset({ token }: { token: string }) {
  const { t } = useLocale();
  useTitle(t('reset.title'));
  const [password, setPassword] = useState('');
  const { form, errors, setErrors } = useFormErrors();
  const [isDone, setDone] = useState(false);
  if (isDone)
    return <Lonely title={t('reset.done')} text={t('reset.doneText')} to="/" action={t('link.toSignIn')} />;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = { token, password };
      await call({ method: 'POST', store: null, path: '/v0/password-reset/confirm', body, plain: true });
      setDone(true);
    } catch (error) {
      if (error instanceof ApiError) setErrors(toErrors(error));
    }
  };
  return (
    <Entrance title={t('reset.title')}>
      <form ref={form} className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorNotice text={errors[''] || errors.token} />
        <TextField
          label={t('field.newPassword')}
          type="password"
          autoComplete="new-password"
          hint={t('field.passwordHint')}
          value={password}
          error={errors.password ?? null}
          change={setPassword}
        />
        <button type="submit" className="main-button">
          {t('reset.button')}
        </button>
      </form>
    </Entrance>
  );
}

function Invitation({ token }: { token: string }) {
  const { t, tName } = useLocale();
  useTitle(t('invitation.title'));
  const [, navigate] = useLocation();
  const { ask, take } = useSessionChange();
  const session = useSession();
  const [opened, setOpened] = useState<Row | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [values, setValues] = useState({ email: '', name: '', password: '' });
  const { form, errors, setErrors } = useFormErrors();
  const open = useCallback(() => {
    const path = '/v0/invitations/open';
    setFailure(null);
    call<{ invitation: Row }>({ method: 'POST', store: null, path, body: { token }, plain: true })
      .then(({ invitation }) => setOpened(invitation))
      .catch(setFailure);
  }, [token]);
  useEffect(open, [open]);
  if (failure instanceof ApiError && failure.status === 400)
    return <Lonely title={t('link.dead')} text={t('link.deadText')} to="/" action={t('link.toSignIn')} />;
  // Of a service that is away it is not known whether the link still holds.
  if (failure) return <Failure error={failure} retry={open} isAlone />;
  if (!opened || session.isPending) return null;
  const isNew = opened.hasAccount !== true && !session.data;
  const mustSignIn = opened.hasAccount === true && !session.data;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const body = isNew ? { token, name: values.name, password: values.password } : { token };
      const path = '/v0/invitations/accept';
      const { workspaceId } = await call<Row>({ method: 'POST', store: null, path, body, plain: true });
      await ask();
      navigate(`/${textOf({ workspaceId }, 'workspaceId')}/test`, { replace: true });
    } catch (error) {
      if (error instanceof ApiError) setErrors(toErrors(error));
    }
  };
  const workspace = textOf(opened, 'workspaceName');
  const role = tName('role.', textOf(opened, 'role'));
  if (mustSignIn) {
    return (
      <Entrance title={t('invitation.title')} text={t('invitation.signIn', { workspace, role })}>
        <SignInSteps email={textOf(opened, 'email')} done={take} />
      </Entrance>
    );
  }
  return (
    <Entrance title={t('invitation.title')} text={t('invitation.text', { workspace, role })}>
      <form ref={form} className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorNotice text={errors['']} />
        {isNew ? <AccountFields values={values} errors={errors} change={setValues} withoutEmail /> : null}
        <button type="submit" className="main-button">
          {t('invitation.button')}
        </button>
      </form>
    </Entrance>
  );
}

function SignUp({ token }: { token: string }) {
  const { t } = useLocale();
  useTitle(t('signUp.title'));
  const [, navigate] = useLocation();
  const { ask } = useSessionChange();
  const [values, setValues] = useState({ email: '', name: '', password: '' });
  const [workspace, setWorkspace] = useState({ name: '', country: '', currency: '' });
  const { form, errors, setErrors } = useFormErrors();
  const [isSent, setSent] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    try {
      const { email, name, password } = values;
      const body = token === '' ? { email } : { token, name, password, workspace };
      await call({ method: 'POST', store: null, path: '/v0/account/sign-up', body, plain: true });
      if (token === '') return setSent(true);
      await ask();
      navigate('/', { replace: true });
    } catch (error) {
      if (error instanceof ApiError) setErrors(toErrors(error));
    }
  };
  if (isSent) return <Lonely title={t('signUp.sent')} text={t('signUp.sentText')} />;
  return (
    <Entrance title={t('signUp.title')}>
      <form ref={form} className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorNotice text={errors['']} />
        {token === '' ? (
          <TextField
            label={t('field.email')}
            type="email"
            value={values.email}
            error={errors.email ?? null}
            change={(email) => setValues({ ...values, email })}
          />
        ) : (
          <>
            <AccountFields values={values} errors={errors} change={setValues} withoutEmail />
            <WorkspaceFields values={workspace} errors={errors} change={setWorkspace} />
          </>
        )}
        <button type="submit" className="main-button">
          {t(token === '' ? 'signUp.button' : 'setup.open')}
        </button>
      </form>
    </Entrance>
  );
}
