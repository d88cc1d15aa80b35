import { useState } from 'preact/hooks';
import { stateNotice } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { TextField } from '../ui/parts/field.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import type { FormPage, Received } from '../ui/statement.ts';
import type { TextKey } from '../ui/texts.ts';
import { Frame } from './frame.tsx';
import { ReceivedPanel } from './received.tsx';
import { useStatement } from './use-statement.ts';

const FIELDS = ['reason', 'name', 'email', 'contractNumber', 'endDate'] as const;
const KINDS = ['ordinary', 'cause'] as const;

/** The last moment of a day that was chosen, so that an interval which ends on it is in time; null = none. */
function toEndDate(day: string): number | null {
  const ms = Date.parse(`${day}T23:59:59.999Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** Cancels a contract: all that is asked stands on one page, and its button cancels at once. */
export function CancelPage({ page }: { page: FormPage }) {
  const { t, language } = useLocale();
  const [type, setType] = useState<(typeof KINDS)[number]>('ordinary');
  const empty = { reason: '', name: '', email: '', contractNumber: page.number, endDate: '' };
  const [values, setValues] = useState(empty);
  const statement = useStatement<{ notice: Received; confirmationUrl: string }>(FIELDS);
  const { errors, received } = statement;
  const change = (field: keyof typeof values, value: string) => {
    statement.clearError(field);
    setValues((before) => ({ ...before, [field]: value }));
  };
  const submit = () => {
    const { reason, name, email, contractNumber, endDate } = values;
    const isCause = type === 'cause';
    const missing: Record<string, TextKey> = {
      ...(isCause && !reason.trim() ? { reason: 'missing.reason' } : {}),
      ...(name.trim() ? {} : { name: 'missing.name' }),
      ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: 'missing.email' }),
      ...(contractNumber.trim() ? {} : { contractNumber: 'missing.contractNumber' }),
    };
    const { store, testMode } = page;
    const body = {
      ...{ store, testMode, language, type, reason: isCause ? reason.trim() : null },
      ...{ name: name.trim(), email: email.trim(), contractNumber: contractNumber.trim() },
      endDate: toEndDate(endDate),
    };
    return statement.send(missing, () => stateNotice(body));
  };
  if (received) return <NoticeReceived page={page} received={received} values={{ ...values, type }} />;
  return (
    <Frame page={page} title={t('cancel.title')}>
      <h1>{t('cancel.title')}</h1>
      <p>{t('cancel.text', { seller: page.seller.name })}</p>
      <form
        class="statement-form"
        ref={statement.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Kinds type={type} onType={setType} />
        {type === 'cause' && (
          <TextField
            label={t('cancel.reason')}
            name="reason"
            value={values.reason}
            error={errors.reason}
            onValue={(value) => change('reason', value)}
            input={{ autocomplete: 'off' }}
          />
        )}
        <TextField
          label={t('statement.name')}
          name="name"
          value={values.name}
          error={errors.name}
          onValue={(value) => change('name', value)}
          input={{ autocomplete: 'name' }}
        />
        <TextField
          label={t('contact.email')}
          name="email"
          value={values.email}
          error={errors.email}
          onValue={(value) => change('email', value)}
          input={{ type: 'email', autocomplete: 'email', inputMode: 'email', spellcheck: false }}
        />
        <TextField
          label={t('cancel.contract')}
          name="contractNumber"
          value={values.contractNumber}
          error={errors.contractNumber}
          onValue={(value) => change('contractNumber', value)}
          input={{ autocomplete: 'off', spellcheck: false }}
        />
        <TextField
          label={t('cancel.endDate')}
          name="endDate"
          value={values.endDate}
          error={errors.endDate}
          hint={t('cancel.endHint')}
          onValue={(value) => change('endDate', value)}
          input={{ type: 'date' }}
        />
        {statement.notice && <Notice text={statement.notice} />}
        <button type="submit" class="primary" disabled={statement.isBusy} aria-busy={statement.isBusy}>
          <span>{t('cancel.submit')}</span>
        </button>
      </form>
    </Frame>
  );
}

interface NoticeReceivedProps {
  page: FormPage;
  received: { notice: Received; confirmationUrl: string };
  values: { type: (typeof KINDS)[number]; reason: string; contractNumber: string; endDate: string };
}

function NoticeReceived({ page, received, values }: NoticeReceivedProps) {
  const { t, moment } = useLocale();
  const { number, receivedAt, name, email } = received.notice;
  return (
    <Frame page={page} title={t('cancel.receivedTitle')}>
      <ReceivedPanel
        title={t('cancel.receivedTitle')}
        text={t('cancel.receivedText', { email })}
        facts={[
          [t('statement.number'), number],
          [t('statement.received'), moment(receivedAt)],
          [t('cancel.type'), t(`cancel.type.${values.type}`)],
          ...(values.type === 'cause' ? [[t('cancel.reason'), values.reason] as [string, string]] : []),
          [t('statement.name'), name],
          [t('cancel.contract'), values.contractNumber],
          [t('cancel.endDate'), values.endDate || t('cancel.earliest')],
        ]}
        confirmationUrl={received.confirmationUrl}
      />
    </Frame>
  );
}

interface KindsProps {
  type: (typeof KINDS)[number];
  onType(type: (typeof KINDS)[number]): void;
}

function Kinds({ type, onType }: KindsProps) {
  const { t } = useLocale();
  return (
    <div class="kinds" role="radiogroup" aria-labelledby="kinds">
      <p id="kinds">{t('cancel.type')}</p>
      {KINDS.map((kind) => (
        <label class="check" key={kind}>
          <input
            type="radio"
            name="type"
            value={kind}
            checked={type === kind}
            onChange={() => onType(kind)}
          />
          <span>{t(`cancel.type.${kind}`)}</span>
        </label>
      ))}
    </div>
  );
}
