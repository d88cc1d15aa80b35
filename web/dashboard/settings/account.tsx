import { notifications } from '@mantine/notifications';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, call, type Method } from '../api/client.ts';
import { useSessionChange } from '../api/use-session.ts';
import { useStore } from '../app/store.tsx';
import { TextField } from '../session/entrance.tsx';
import { toErrors } from '../session/setup.tsx';
import { useFormErrors } from '../session/use-form-errors.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import type { TextKey } from '../ui/texts.ts';
import { useTitle } from '../ui/use-title.ts';
import { Factors } from './factors.tsx';
import { Preferences } from './preferences.tsx';
import { Sessions } from './session-list.tsx';
import { LeaveWorkspace } from './workspace-end.tsx';

export default function Account({ page }: { page: string }) {
  const { t } = useLocale();
  if (page === 'profile') return <Page title={t('account.profile')} show={<Profile />} />;
  if (page === 'security') return <Page title={t('account.security')} show={<Security />} />;
  if (page === 'sessions') return <Page title={t('account.sessions')} show={<Sessions />} />;
  return <Lonely title={t('notFound.title')} text={t('notFound.text')} to="/" action={t('nav.home')} />;
}

function Page({ title, show }: { title: string; show: ReactNode }) {
  useTitle(title);
  return (
    <section className="sheet form-sheet" aria-labelledby="account-title">
      <div className="sheet-head">
        <h1 id="account-title">{title}</h1>
      </div>
      {show}
    </section>
  );
}

/** A small form of the account: its fields by their names in the API. */
function AccountForm(props: {
  fields: Array<{
    name: string;
    label: string;
    type?: string;
    autoComplete?: string;
    initial?: string;
    hint?: string;
  }>;
  submit: string;
  /** What is said once it went through. */
  told?: TextKey;
  method: Method;
  path: string;
}) {
  const { t } = useLocale();
  const { ask } = useSessionChange();
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(props.fields.map(({ name, initial = '' }) => [name, initial])),
  );
  const { form, errors, setErrors } = useFormErrors();
  // A password that is set, and an address that was asked for, are not left standing.
  const blank = Object.fromEntries(
    props.fields.flatMap(({ name, initial }) => (initial === undefined ? [[name, '']] : [])),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    try {
      await call({ method: props.method, store: null, path: props.path, body: values });
      await ask();
      setValues((typed) => ({ ...typed, ...blank }));
      notifications.show({ message: t(props.told ?? 'form.done') });
    } catch (error) {
      if (error instanceof ApiError) setErrors(toErrors(error));
    }
  };
  return (
    <form ref={form} className="stack" onSubmit={(event) => void submit(event)} noValidate>
      <ErrorNotice text={errors['']} />
      {props.fields.map(({ name, initial: _initial, ...field }) => (
        <TextField
          key={name}
          name={name}
          {...field}
          value={values[name] ?? ''}
          error={errors[name] ?? null}
          change={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <button type="submit" className="main-button">
        {props.submit}
      </button>
    </form>
  );
}

function Profile() {
  const { t } = useLocale();
  const { session } = useStore();
  const { account } = session;
  return (
    <>
      <AccountForm
        method="PATCH"
        path="/v0/account/update"
        submit={t('save')}
        fields={[
          { name: 'name', label: t('field.yourName'), autoComplete: 'name', initial: account.name ?? '' },
        ]}
      />
      <section className="part" aria-labelledby="email-title">
        <h2 id="email-title">{t('column.email')}</h2>
        <p className="soft">{account.email}</p>
        {account.emailProved ? null : <p className="notice">{t('account.emailNotProved')}</p>}
        <AccountForm
          method="POST"
          path="/v0/account/email"
          submit={t('account.changeEmail')}
          told="account.emailAsked"
          fields={[
            {
              name: 'email',
              label: t('account.newEmail'),
              type: 'email',
              autoComplete: 'email',
              hint: t('account.emailHint'),
            },
          ]}
        />
      </section>
      <Preferences />
      <LeaveWorkspace />
    </>
  );
}

function Security() {
  const { t } = useLocale();
  const { session } = useStore();
  return (
    <>
      <section className="part" aria-labelledby="password-title">
        <h2 id="password-title">{t('field.password')}</h2>
        {session.account.hasPassword ? null : <p className="soft">{t('account.noPassword')}</p>}
        <AccountForm
          method="POST"
          path="/v0/account/password"
          submit={t('account.changePassword')}
          fields={[
            {
              name: 'password',
              label: t('field.newPassword'),
              type: 'password',
              autoComplete: 'new-password',
              hint: t('field.passwordHint'),
            },
          ]}
        />
      </section>
      <Factors />
    </>
  );
}
