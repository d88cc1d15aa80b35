import { type FormEvent, useId, useState } from 'react';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { startOfDay, toDay } from './query.ts';
import type { Filter } from './types.ts';

const DAY_MS = 86_400_000;

/** One filter's value, in a dialog that bears its name. */
export function FilterForm(props: { filter: Filter; values: string[]; apply: (values: string[]) => void }) {
  const { t } = useLocale();
  const { zone } = useStore();
  const { filter, apply } = props;
  const [values, setValues] = useState(props.values);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply(values);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Control filter={filter} values={values} change={setValues} zone={zone} />
      <button type="submit" className="main-button">
        {t('filter.apply')}
      </button>
    </form>
  );
}

function Control(props: {
  filter: Filter;
  values: string[];
  change: (values: string[]) => void;
  zone: string;
}) {
  const { t, tName } = useLocale();
  const id = useId();
  const { filter, values, change, zone } = props;
  const [first = ''] = values;
  if (filter.kind === 'choices' || filter.kind === 'choice' || filter.kind === 'yes') {
    const options = filter.kind === 'yes' ? ['true', 'false'] : (filter.options ?? []);
    const isMany = filter.kind === 'choices';
    const toggle = (option: string) =>
      change(
        !isMany
          ? [option]
          : values.includes(option)
            ? values.filter((one) => one !== option)
            : [...values, option],
      );
    const nameOf = (option: string) =>
      filter.kind === 'yes' ? t(option === 'true' ? 'yes' : 'no') : tName(filter.names ?? '', option);
    return (
      <fieldset className="option-list">
        <legend className="sr-only">{t(filter.label)}</legend>
        {options.map((option) => (
          <label key={option}>
            <input
              type={isMany ? 'checkbox' : 'radio'}
              name={id}
              checked={values.includes(option)}
              onChange={() => toggle(option)}
            />
            {nameOf(option)}
          </label>
        ))}
      </fieldset>
    );
  }
  const isDay = filter.kind === 'day' || filter.kind === 'dayEnd';
  const shown = isDay ? (first === '' ? '' : toDay(Number(first), zone)) : first;
  const take = (text: string) => {
    if (!isDay || text === '') return change([text]);
    // Up to and with the day that was chosen.
    const begins = startOfDay(text, zone);
    change([
      String(filter.kind === 'day' ? begins : startOfDay(toDay(begins + 1.5 * DAY_MS, zone), zone) - 1),
    ]);
  };
  return (
    <div className="text-field">
      <label htmlFor={id}>{t(filter.label)}</label>
      <input
        id={id}
        type={isDay ? 'date' : filter.kind === 'money' ? 'number' : 'text'}
        value={shown}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {filter.kind === 'money' ? <p className="field-hint">{t('filter.minor')}</p> : null}
      {isDay ? <p className="field-hint">{t('list.zone', { zone })}</p> : null}
    </div>
  );
}
