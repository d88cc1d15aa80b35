/** A buyer's own account: how they are reached and let in, where they are, a copy of it all, and its end. */
import { useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { TextField } from '../../ui/parts/field.tsx';
import { Loading, Screen, useData, usePortal, usePress } from '../context.tsx';
import { nameDevice } from '../device.ts';
import type { OwnSession } from '../shapes.ts';
import { p } from '../text.ts';
import { DataSection, DeletionSection } from './own-data.tsx';

interface SessionData {
  session: OwnSession;
}

/** `token`: of the link in the mail to a new address. */
export function AccountScreen({ token }: { token: string | null }) {
  const { data, error, retry, put } = useData<SessionData>('/session');
  const [said, setSaid] = useState<string | null>(null);
  const take = (next: SessionData | null, words: string) => {
    if (next) put(next);
    setSaid(next ? words : null);
  };
  return (
    <Screen title={p('account.title')} error={error} retry={retry}>
      {!data && !error && <Loading />}
      {said && <p role="status">{said}</p>}
      {data && (
        <>
          <EmailSection session={data.session} token={token} onChanged={take} />
          <PasswordSection session={data.session} onChanged={take} />
          <DevicesSection />
          <DataSection />
          <DeletionSection session={data.session} />
        </>
      )}
    </Screen>
  );
}

interface SectionProps {
  session: OwnSession;
  onChanged(next: SessionData | null, words: string): void;
}

function EmailSection({ session, token, onChanged }: SectionProps & { token: string | null }) {
  const { asking } = usePortal();
  const { isBusy, error, setError, press } = usePress();
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  const [isByLink, setByLink] = useState(token !== null);
  const ask = async (event: Event) => {
    event.preventDefault();
    const language = document.documentElement.lang;
    if (await press(() => asking.send('POST', '/email/request', { email, language }))) setSent(true);
  };
  const confirm = async (event: Event) => {
    event.preventDefault();
    const word = isByLink ? { token } : { code };
    const next = await press(() => asking.send<SessionData>('POST', '/email/confirm', word));
    if (!next) return;
    setSent(false);
    setByLink(false);
    setEmail('');
    setCode('');
    onChanged(next, p('account.emailDone'));
  };
  /** What was typed stays, to be mended. */
  const turnBack = () => {
    setError(null);
    setSent(false);
    setByLink(false);
    setCode('');
  };
  const isConfirming = isSent || isByLink;
  return (
    <section aria-label={p('account.email')}>
      <h2>{p('account.email')}</h2>
      <p>{p('account.emailText', { email: session.user.email ?? '' })}</p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {session.features.emailChange && !isConfirming && (
        <form class="portal-form" onSubmit={ask} noValidate>
          <TextField
            label={p('account.email')}
            name="newEmail"
            value={email}
            onValue={setEmail}
            input={{ type: 'email', autocomplete: 'email' }}
          />
          <button type="submit" class="secondary" disabled={isBusy || email === ''}>
            {p('account.changeEmail')}
          </button>
        </form>
      )}
      {isConfirming && (
        <form class="portal-form" onSubmit={confirm}>
          <p role="status">{isByLink ? p('account.emailLink') : p('account.emailSent', { email })}</p>
          {!isByLink && (
            <TextField
              label={p('account.emailCode')}
              name="emailCode"
              value={code}
              onValue={setCode}
              input={{ inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 20 }}
            />
          )}
          <div class="portal-actions">
            <button type="submit" class="primary" disabled={isBusy}>
              {p('account.emailConfirm')}
            </button>
            {session.features.emailChange && (
              <button type="button" class="secondary" disabled={isBusy} onClick={turnBack}>
                {p('account.emailOther')}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  );
}

function PasswordSection({ session, onChanged }: SectionProps) {
  const { asking } = usePortal();
  const { isBusy, error, press } = usePress();
  const [password, setPassword] = useState('');
  const { hasPassword, features } = session;
  if (!features.passwordSignIn && !hasPassword) return null;
  const save = async (value: string | null) => {
    const next = await press(() => asking.send<SessionData>('PATCH', '/password', { password: value }));
    if (next) setPassword('');
    onChanged(next, value === null ? p('account.passwordRemoved') : p('account.passwordSaved'));
  };
  return (
    <section aria-label={p('account.password')}>
      <h2>{p('account.password')}</h2>
      <p>{hasPassword ? p('account.passwordSet') : p('account.passwordNone')}</p>
      <form
        class="portal-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(password);
        }}
      >
        {features.passwordSignIn && (
          <TextField
            label={p('account.password')}
            name="newPassword"
            value={password}
            onValue={setPassword}
            hint={p('account.passwordHint')}
            error={error ?? undefined}
            input={{ type: 'password', autocomplete: 'new-password' }}
          />
        )}
        <div class="portal-actions">
          {features.passwordSignIn && (
            <button type="submit" class="secondary" disabled={isBusy || password === ''}>
              {p('account.passwordSave')}
            </button>
          )}
          {hasPassword && (
            <button type="button" class="secondary" disabled={isBusy} onClick={() => void save(null)}>
              {p('account.passwordRemove')}
            </button>
          )}
        </div>
      </form>
    </section>
  );
}

interface Device {
  id: string;
  userAgent: string;
  current: boolean;
  lastUsedAt: number;
}

function DevicesSection() {
  const { date } = useLocale();
  const { asking, signOut } = usePortal();
  const { data } = useData<{ devices: Device[] }>('/devices/list');
  const { isBusy, error, press } = usePress();
  const leave = async (everywhere: boolean) => {
    if (await press(() => asking.send('POST', '/sign-out', { everywhere }))) signOut();
  };
  return (
    <section aria-label={p('account.devices')}>
      <h2>{p('account.devices')}</h2>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <ul class="portal-list">
        {data?.devices.map((device) => (
          <li key={device.id} class="portal-row">
            <span class="portal-row-name">{nameDevice(device.userAgent)}</span>
            <span class="hint">
              {device.current ? p('account.here') : p('account.used', { date: date(device.lastUsedAt) })}
            </span>
          </li>
        ))}
      </ul>
      <div class="portal-actions">
        <button type="button" class="secondary" disabled={isBusy} onClick={() => void leave(false)}>
          {p('account.signOut')}
        </button>
        <button type="button" class="secondary" disabled={isBusy} onClick={() => void leave(true)}>
          {p('account.everywhere')}
        </button>
      </div>
    </section>
  );
}
