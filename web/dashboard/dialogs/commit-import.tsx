import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { toQueryKey, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';

const REHEARSALS = ['1week', '1month', '3months', '1year'] as const;

/** Just what the plan says is brought in; what it would leave out or change has to be said aloud. */
export function CommitImport({ row, close }: { row: Row; close: () => void }) {
  const { t, number } = useLocale();
  const { store, isTest } = useStore();
  const client = useQueryClient();
  const [skipErrors, setSkip] = useState(false);
  const [acceptPriceChanges, setAccept] = useState(false);
  const [rehearse, setRehearse] = useState('');
  const write = useWrite<Row>();
  const plan = rowOf(row, 'plan');
  const count = (name: string) => numberOf(plan, name) ?? 0;
  const [errors, prices] = [count('errorCount'), count('priceChangeCount')];
  const path = `/v0/imports/${textOf(row, 'id')}`;
  const body = {
    plan: textOf(plan, 'hash'),
    ...(errors > 0 ? { skipErrors } : {}),
    ...(prices > 0 ? { acceptPriceChanges } : {}),
    ...(rehearse === '' ? {} : { rehearse }),
  };
  const submit = () =>
    write.mutate(
      { method: 'POST', path: `${path}/commit`, body, isSlow: rehearse !== '' },
      {
        onSuccess: () => {
          notifications.show({ message: t(rehearse === '' ? 'import.committing' : 'import.rehearsalDone') });
          close();
        },
        // An overtaken plan is made anew, and shows behind the dialog.
        onError: () => void client.invalidateQueries({ queryKey: toQueryKey(store, path) }),
      },
    );
  const isPlanned = textOf(row, 'status') === 'planned';
  return (
    <DialogFrame
      title={t('import.commitTitle')}
      text={t('import.commitText', { count: number(count('lines') - errors) })}
      confirm={t('import.commit')}
      isBusy={write.isPending}
      isOff={!isPlanned || (errors > 0 && !skipErrors) || (prices > 0 && !acceptPriceChanges)}
      error={write.error}
      close={close}
      submit={submit}
    >
      {errors > 0 ? (
        <Check isOn={skipErrors} change={setSkip} hint={t('import.skipHint')}>
          {t('import.skip', { count: number(errors) })}
        </Check>
      ) : null}
      {prices > 0 ? (
        <Check isOn={acceptPriceChanges} change={setAccept} hint={t('import.pricesText')}>
          {t('import.accept', { count: number(prices) })}
        </Check>
      ) : null}
      {isTest ? <Rehearse value={rehearse} change={setRehearse} /> : null}
      {write.isPending && rehearse !== '' ? <p role="status">{t('import.rehearsing')}</p> : null}
    </DialogFrame>
  );
}

export function Check(props: {
  isOn: boolean;
  change: (isOn: boolean) => void;
  hint: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="text-field">
      <label className="check-row">
        <input
          type="checkbox"
          checked={props.isOn}
          aria-describedby={id}
          onChange={(event) => props.change(event.currentTarget.checked)}
        />
        {props.children}
      </label>
      <p id={id} className="field-hint">
        {props.hint}
      </p>
    </div>
  );
}

function Rehearse({ value, change }: { value: string; change: (value: string) => void }) {
  const { t } = useLocale();
  const id = useId();
  return (
    <div className="text-field">
      <label htmlFor={id}>{t('import.rehearse')}</label>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={(event) => change(event.currentTarget.value)}
      >
        <option value="">{t('import.noRehearsal')}</option>
        {REHEARSALS.map((one) => (
          <option key={one} value={one}>
            {t(`import.${one}`)}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="field-hint">
        {t('import.rehearseHint')}
      </p>
    </div>
  );
}
