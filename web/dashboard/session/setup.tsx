/** The first minutes of an installation: the link that the start printed, an account, and something to look at. */

import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call } from '../api/client.ts';
import type { Session } from '../api/objects.ts';
import { useSessionChange } from '../api/use-session.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Entrance, TextField } from './entrance.tsx';
import { useFormErrors } from './use-form-errors.ts';
import { useFragment } from './use-fragment.ts';

const DEAD = [
  'not_found',
  'token_invalid',
  'link_invalid',
  'setup_link_invalid',
  'invalid_token',
  'link_expired',
];
const OWN_FIELDS = ['email', 'name', 'password'];

export default function Setup() {
  const { t } = useLocale();
  useTitle(t('setup.title'));
  const token = useFragment();
  const [, navigate] = useLocation();
  const { take } = useSessionChange();
  const [values, setValues] = useState({ email: '', name: '', password: '' });
  const [start, setStart] = useState({ kind: 'first', name: '', country: 'DE', currency: 'EUR' });
  const [step, setStep] = useState<'account' | 'start'>('account');
  const { form, errors, setErrors } = useFormErrors();
  const [hasDemo, setDemo] = useState(true);
  const [isDead, setDead] = useState(token === '');
  const [isBusy, setBusy] = useState(false);
  // Whoever opens a used link is told at once, and not after having thought of a password.
  useEffect(() => {
    if (token === '') return;
    const path = '/v0/account/setup/open';
    call<{ demo: boolean }>({ method: 'POST', store: null, path, body: { token }, plain: true }).then(
      ({ demo }) => setDemo(demo),
      (error: unknown) => setDead(error instanceof ApiError && DEAD.includes(error.code)),
    );
  }, [token]);
  if (isDead)
    return <Lonely title={t('link.dead')} text={t('setup.deadText')} to="/" action={t('link.toSignIn')} />;
  const finish = async () => {
    setBusy(true);
    setErrors({});
    const { name, country, currency } = start;
    const workspace = start.kind === 'first' ? null : { name, country, currency };
    try {
      const body = { token, ...values, workspace };
      const { session } = await call<{ session?: Session }>({
        method: 'POST',
        store: null,
        path: '/v0/account/setup',
        body,
        plain: true,
      });
      if (session) take(session);
      // Whoever asked for a workspace of their own is shown that one, which was made last.
      const made = workspace && session?.workspaces.at(-1);
      navigate(made ? `/${made.id}/test` : '/');
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const of = toErrors(error);
      if (DEAD.includes(error.code) || error.status === 401) setDead(true);
      else setErrors(of);
      if (OWN_FIELDS.some((field) => field in of)) setStep('account');
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (step === 'start') void finish();
    else if (checkAccount()) setStep('start');
  };
  const checkAccount = (): boolean => {
    const missing = OWN_FIELDS.filter((field) => values[field as 'email'].trim() === '');
    setErrors(Object.fromEntries(missing.map((field) => [field, t('form.missing')])));
    return missing.length === 0;
  };
  return (
    <Entrance title={t('setup.title')} text={t(step === 'account' ? 'setup.text' : 'setup.startText')}>
      <form ref={form} onSubmit={submit} className="stack" noValidate>
        <ErrorNotice text={errors['']} />
        {step === 'account' ? (
          <AccountFields values={values} errors={errors} change={setValues} />
        ) : (
          <StartFields start={start} hasDemo={hasDemo} errors={errors} change={setStart} />
        )}
        <button type="submit" className="main-button" aria-busy={isBusy} disabled={isBusy}>
          {t(step === 'account' ? 'setup.create' : 'setup.open')}
        </button>
      </form>
    </Entrance>
  );
}

/** What the API says of each field; what belongs to none stands above the form. */
export function toErrors(error: ApiError): Record<string, string> {
  if (error.details.length > 0)
    return Object.fromEntries(error.details.map(({ path, message }) => [path, message]));
  if (error.code === 'password_too_weak') return { password: error.message };
  return { '': error.message };
}

interface AccountValues {
  email: string;
  name: string;
  password: string;
}

export function AccountFields(props: {
  values: AccountValues;
  errors: Record<string, string>;
  change: (values: AccountValues) => void;
  /** Where the link says whose it is. */
  withoutEmail?: boolean;
}) {
  const { t } = useLocale();
  const { values, errors, change, withoutEmail = false } = props;
  return (
    <>
      {withoutEmail ? null : (
        <TextField
          label={t('field.email')}
          type="email"
          name="email"
          autoComplete="username"
          value={values.email}
          error={errors.email ?? null}
          change={(email) => change({ ...values, email })}
        />
      )}
      <TextField
        label={t('field.yourName')}
        name="name"
        autoComplete="name"
        value={values.name}
        error={errors.name ?? null}
        change={(name) => change({ ...values, name })}
      />
      <TextField
        label={t('field.newPassword')}
        type="password"
        name="password"
        autoComplete="new-password"
        hint={t('field.passwordHint')}
        value={values.password}
        error={errors.password ?? null}
        change={(password) => change({ ...values, password })}
      />
    </>
  );
}

interface StartValues {
  kind: string;
  name: string;
  country: string;
  currency: string;
}

function StartFields(props: {
  start: StartValues;
  /** Else the workspace that is there is empty. */
  hasDemo: boolean;
  errors: Record<string, string>;
  change: (start: StartValues) => void;
}) {
  const { t } = useLocale();
  const { start, hasDemo, errors, change } = props;
  const firstName = hasDemo ? 'demo' : 'ready';
  return (
    <>
      <div className="choice-cards" role="radiogroup" aria-labelledby="start-with">
        <span id="start-with" className="choice-title">
          {t('setup.startWith')}
        </span>
        {(
          [
            ['first', firstName],
            ['empty', 'empty'],
          ] as const
        ).map(([kind, name]) => (
          <label key={kind}>
            <input
              type="radio"
              name="start"
              checked={start.kind === kind}
              onChange={() => change({ ...start, kind })}
              aria-describedby={`start-${kind}`}
            />
            <span>
              <strong>{t(`setup.${name}`)}</strong>
            </span>
            <small id={`start-${kind}`}>{t(`setup.${name}Text`)}</small>
          </label>
        ))}
      </div>
      {start.kind === 'empty' ? (
        <WorkspaceFields values={start} errors={errors} change={(next) => change({ ...start, ...next })} />
      ) : null}
    </>
  );
}

export function WorkspaceFields(props: {
  values: { name: string; country: string; currency: string };
  errors: Record<string, string>;
  change: (values: { name: string; country: string; currency: string }) => void;
}) {
  const { t } = useLocale();
  const { values, errors, change } = props;
  const { name, country, currency } = values;
  const own = { name, country, currency };
  return (
    <>
      <TextField
        label={t('field.workspaceName')}
        value={name}
        error={errors['workspace.name'] ?? errors.name ?? null}
        change={(next) => change({ ...own, name: next })}
      />
      <TextField
        label={t('field.country')}
        hint={t('field.countryHint')}
        value={country}
        error={errors['workspace.country'] ?? errors.country ?? null}
        change={(next) => change({ ...own, country: next.toUpperCase() })}
      />
      <TextField
        label={t('field.currency')}
        hint={t('field.currencyHint')}
        value={currency}
        error={errors['workspace.currency'] ?? errors.currency ?? null}
        change={(next) => change({ ...own, currency: next.toUpperCase() })}
      />
    </>
  );
}
