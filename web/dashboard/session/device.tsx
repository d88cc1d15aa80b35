/** A machine asks for a key pair: its code is typed, compared by eye, and allowed or denied. */
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../api/client.ts';
import { type Row, rowOf, type Session, textOf } from '../api/objects.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Entrance, TextField } from './entrance.tsx';

type Decision = 'allow' | 'deny';

const toMessage = (error: unknown) => (error instanceof ApiError ? error.message : String(error));
/** As the machine shows it, however it was typed: the two are compared by eye. */
const toShown = (code: string) =>
  code
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .replace(/^.{4}/, '$&-');
const SHOWN = /^[A-Z]{4}-[A-Z]{4}$/;
const toPath = (code: string) => `/v0/device-requests/${encodeURIComponent(code.trim())}`;

export default function Device({ session }: { session: Session }) {
  const { t } = useLocale();
  useTitle(t('device.title'));
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState<Row | null>(null);
  const [decided, setDecided] = useState<Decision | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (decided)
    return (
      <Lonely
        title={t(decided === 'allow' ? 'device.allowed' : 'device.denied')}
        text={t('device.back')}
        to="/"
        action={t('device.toDashboard')}
      />
    );
  const look = async (event: FormEvent) => {
    event.preventDefault();
    // What is no code is no wrong one, of which a few are taken; an empty one would be another address.
    setError(SHOWN.test(toShown(code)) ? null : t('device.form'));
    if (!SHOWN.test(toShown(code))) return;
    try {
      const answer = await call<Row>({ store: null, path: toPath(code) });
      setAsked(rowOf(answer, 'deviceRequest') ?? null);
    } catch (caught) {
      setError(toMessage(caught));
    }
  };
  return (
    <Entrance title={t('device.title')} {...(asked ? {} : { text: t('device.text') })}>
      {asked ? (
        <Decide
          code={code}
          asked={asked}
          session={session}
          decided={setDecided}
          restart={() => setAsked(null)}
        />
      ) : (
        <form className="stack" onSubmit={(event) => void look(event)} noValidate>
          <ErrorNotice text={error} />
          <TextField label={t('field.code')} value={code} autoComplete="off" error={null} change={setCode} />
          <button type="submit" className="main-button">
            {t('device.continue')}
          </button>
        </form>
      )}
    </Entrance>
  );
}

interface DecideProps {
  code: string;
  asked: Row;
  session: Session;
  decided: (decision: Decision) => void;
  restart: () => void;
}

function Decide({ code, asked, session, decided, restart }: DecideProps) {
  const { t } = useLocale();
  const workspaces = session.workspaces;
  const [workspaceId, setWorkspaceId] = useState(workspaces[0]?.id ?? '');
  const [mode, setMode] = useState(textOf(asked, 'mode'));
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const scopes = Array.isArray(asked.scopes) ? asked.scopes.join(', ') : t('device.allScopes');
  const decide = async (decision: Decision) => {
    setBusy(true);
    setError(null);
    try {
      const body = decision === 'allow' ? { workspaceId, mode } : {};
      await call({ method: 'POST', store: null, path: `${toPath(code)}/${decision}`, body });
      decided(decision);
    } catch (caught) {
      setError(toMessage(caught));
      setBusy(false);
    }
  };
  return (
    <div className="stack">
      <ErrorNotice text={error} />
      <p>{t('device.asks', { client: textOf(asked, 'client'), address: textOf(asked, 'address') })}</p>
      <p>
        {t('device.isIt')} <strong className="code-text">{toShown(code)}</strong>
      </p>
      <label className="text-field">
        <span>{t('device.workspace')}</span>
        <select value={workspaceId} onChange={(event) => setWorkspaceId(event.target.value)}>
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="text-field">
        <span>{t('device.mode')}</span>
        <select value={mode} onChange={(event) => setMode(event.target.value)}>
          <option value="test">{t('device.test')}</option>
          <option value="live">{t('device.live')}</option>
        </select>
      </label>
      <p className="soft">{t('device.scopes', { scopes })}</p>
      <button type="button" className="main-button" disabled={isBusy} onClick={() => void decide('allow')}>
        {t('device.allow')}
      </button>
      <button type="button" className="plain-button" disabled={isBusy} onClick={() => void decide('deny')}>
        {t('device.deny')}
      </button>
      <button type="button" className="plain-button" disabled={isBusy} onClick={restart}>
        {t('device.otherCode')}
      </button>
    </div>
  );
}
