import { useState } from 'preact/hooks';
import { stateNotice } from '../ui/api.ts';
import type { FieldErrors } from '../ui/form.ts';
import { useLocale } from '../ui/locale.tsx';
import { TextField } from '../ui/parts/field.tsx';
import type { FormPage, Received } from '../ui/statement.ts';
import { ReceivedPage } from './received.tsx';
import { EmailField, findMissingContact, NameField, StatementForm } from './statement-form.tsx';
import { s } from './text.ts';
import { useStatement } from './use-statement.ts';

const KINDS = ['ordinary', 'cause'] as const;

/** The last moment of a day that was chosen, so that an interval which ends on it is in time; NaN = it is no day. */
function toEndMs(day: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T23:59:59.999Z`) : Number.NaN;
}

/** Half a date has no value, and old browsers take any words: neither means as early as possible. */
function isUnread(day: string, input: HTMLInputElement | null | undefined): boolean {
  return input?.validity.badInput === true || (day !== '' && Number.isNaN(toEndMs(day)));
}

/** Cancels a contract: all that is asked stands on one page, and its button cancels at once. */
export function CancelPage({ page }: { page: FormPage }) {
  const locale = useLocale();
  const { t, language } = locale;
  const [type, setType] = useState<(typeof KINDS)[number]>('ordinary');
  const { name = '', email = '' } = page.own ?? {};
  const empty = { reason: '', name, email, contractNumber: page.number, endDate: '' };
  const statement = useStatement<typeof empty, Answered>(empty);
  const { values, received, bind } = statement;
  const submit = () => {
    const { reason, name, email, contractNumber } = values;
    const day = values.endDate.trim();
    const input = statement.form.current?.querySelector<HTMLInputElement>('[name="endDate"]');
    const isCause = type === 'cause';
    const missing: FieldErrors = {
      ...(isCause && !reason.trim() ? { reason: s('missing.reason') } : {}),
      ...findMissingContact(values, locale),
      ...(contractNumber.trim() ? {} : { contractNumber: s('missing.contractNumber') }),
      ...(isUnread(day, input) ? { endDate: s('missing.endDate') } : {}),
    };
    const { store, testMode } = page;
    const body = {
      ...{ store, testMode, language, type, reason: isCause ? reason.trim() : null },
      ...{ name: name.trim(), email: email.trim(), contractNumber: contractNumber.trim() },
      endDate: day === '' ? null : toEndMs(day),
    };
    return statement.send(missing, () => stateNotice(body));
  };
  if (received) return <NoticeReceived page={page} received={received} values={{ ...values, type }} />;
  return (
    <StatementForm page={page} kind="cancel" statement={statement} submit={submit}>
      <Kinds type={type} onType={setType} />
      {type === 'cause' && (
        <TextField label={s('cancel.reason')} {...bind('reason')} input={{ autocomplete: 'off' }} />
      )}
      <NameField bound={bind('name')} />
      <EmailField label={t('contact.email')} bound={bind('email')} />
      <TextField
        label={s('cancel.contract')}
        {...bind('contractNumber')}
        input={{ autocomplete: 'off', spellcheck: false }}
      />
      <TextField
        label={s('cancel.endDate')}
        {...bind('endDate')}
        hint={s('cancel.endHint')}
        input={{ type: 'date' }}
      />
    </StatementForm>
  );
}

interface Answered {
  notice: Received;
  confirmationUrl: string;
}

interface NoticeReceivedProps {
  page: FormPage;
  received: Answered;
  values: { type: (typeof KINDS)[number]; reason: string; contractNumber: string; endDate: string };
}

function NoticeReceived({ page, received: { notice, confirmationUrl }, values }: NoticeReceivedProps) {
  const { date } = useLocale();
  // By the browser's own noon it is that day everywhere.
  const endDay = values.endDate && date(Date.parse(`${values.endDate}T12:00`));
  const facts = [
    [s('cancel.type'), s(`cancel.type.${values.type}`)],
    ...(values.type === 'cause' ? [[s('cancel.reason'), values.reason] as const] : []),
    [s('statement.name'), notice.name],
    [s('cancel.contract'), values.contractNumber],
    [s('cancel.endDate'), endDay || s('cancel.earliest')],
  ] as const;
  return <ReceivedPage {...{ page, facts, confirmationUrl }} kind="cancel" received={notice} />;
}

interface KindsProps {
  type: (typeof KINDS)[number];
  onType(type: (typeof KINDS)[number]): void;
}

function Kinds({ type, onType }: KindsProps) {
  return (
    <div class="kinds" role="radiogroup" aria-labelledby="kinds">
      <p id="kinds">{s('cancel.type')}</p>
      {KINDS.map((kind) => (
        <label class="check" key={kind}>
          <input
            type="radio"
            name="type"
            value={kind}
            checked={type === kind}
            onChange={() => onType(kind)}
          />
          <span>{s(`cancel.type.${kind}`)}</span>
        </label>
      ))}
    </div>
  );
}
