/** What becomes of workspaces that nobody uses: after how many days, and which are next. */
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { Part } from '../details/detail.tsx';
import { useTools } from '../details/tools.ts';
import { FieldInput } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import { Table } from '../home/table.tsx';
import { Time } from '../ui/cells.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useChange, useInstallation } from './use-installation.ts';

const DAYS: readonly Field[] = [
  { name: 'notice', label: 'sweep.notice', kind: 'number', required: true },
  { name: 'suspend', label: 'sweep.suspend', kind: 'number', required: true },
  { name: 'archive', label: 'sweep.archive', kind: 'number', required: true },
  { name: 'purge', label: 'sweep.purge', kind: 'number', required: true },
];
const IS_ON: Field = { name: 'sweep', label: 'sweep.on', kind: 'yes' };

export function Sweep() {
  const { t, tName } = useLocale();
  const tools = useTools();
  const preview = rowOf(useInstallation('sweep').data, 'sweep');
  const settings = rowOf(useInstallation('settings').data, 'settings');
  if (!preview || !settings) return null;
  return (
    <Part id="sweep" title={t('installation.sweep')}>
      <p className="soft">{t(preview.isOn === true ? 'sweep.text' : 'sweep.isOff')}</p>
      <Table
        title={t('installation.sweep')}
        names={[
          t('object.workspace'),
          t('sweep.next'),
          t('sweep.at'),
          t('sweep.lastActive'),
          t('sweep.warned'),
        ]}
        error={null}
        rows={rowsOf(preview, 'upcoming').map((row) => [
          textOf(row, 'name'),
          tName('sweepStep.', textOf(row, 'step')),
          <Time key="at" ms={numberOf(row, 'at')} tools={tools} isDay />,
          <Time key="last" ms={numberOf(row, 'lastActiveAt')} tools={tools} isDay />,
          <Time
            key="warned"
            ms={numberOf(row, 'secondWarningAt') ?? numberOf(row, 'firstWarningAt')}
            tools={tools}
            isDay
          />,
        ])}
      />
      <Days settings={settings} />
    </Part>
  );
}

function Days({ settings }: { settings: Row }) {
  const { t } = useLocale();
  const change = useChange();
  const kept = rowOf(settings, 'sweepDays') ?? {};
  const [typed, setTyped] = useState<Row>({});
  const [error, setError] = useState<ApiError | null>(null);
  const inputOf = ({ name }: Field) => typed[name] ?? String(numberOf(kept, name) ?? '');
  const errorOf = (name: string) =>
    error?.details.find(({ path }) => path === name || path.endsWith(`.${name}`))?.message ?? null;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const sweepDays = Object.fromEntries(DAYS.map((field) => [field.name, Number(inputOf(field))]));
    const body = { sweep: typed.sweep ?? settings.sweep === true, sweepDays };
    try {
      setError(null);
      await change({ method: 'PATCH', path: 'settings/update', body });
      setTyped({});
      notifications.show({ message: t('form.done') });
    } catch (caught) {
      if (!(caught instanceof ApiError)) throw caught;
      setError(caught);
    }
  };
  return (
    <form className="stack sweep-form" onSubmit={(event) => void submit(event)} noValidate>
      <ErrorNotice text={error && error.details.length === 0 ? error.message : null} />
      <FieldInput
        field={IS_ON}
        value={typed.sweep ?? settings.sweep === true}
        error={errorOf('sweep')}
        change={(sweep) => setTyped({ ...typed, sweep })}
      />
      <div className="sweep-days">
        {DAYS.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={inputOf(field)}
            error={errorOf(field.name)}
            change={(value) => setTyped({ ...typed, [field.name]: value })}
          />
        ))}
      </div>
      <p className="button-row">
        <button type="submit" className="main-button">
          {t('save')}
        </button>
      </p>
    </form>
  );
}
