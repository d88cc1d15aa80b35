import { type FormEvent, useId, useRef, useState } from 'react';
import { decimalsOf } from '../../ui/money.ts';
import { useStore } from '../app/store.tsx';
import { writeAmount } from '../forms/values.ts';
import { DayInput } from '../ui/day-input.tsx';
import { useLocale } from '../ui/locale.tsx';
import { fromTyped, toTyped } from './filter-values.ts';
import { startOfDay, toDay, toMoment } from './query.ts';
import type { Filter } from './types.ts';

const DAY_MS = 86_400_000;

/** One filter's value, in a dialog that bears its name. */
export function FilterForm(props: {
  filter: Filter;
  values: string[];
  currency: string;
  apply: (values: string[]) => void;
}) {
  const locale = useLocale();
  const { zone } = useStore();
  const { filter, currency, apply } = props;
  const [typed, setTyped] = useState(() => toTyped(filter, props.values, { locale, zone, currency }));
  const [isWrong, setWrong] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = fromTyped(filter, typed, { locale, zone, currency });
    if (values) return apply(values);
    setWrong(true);
    form.current?.querySelector('input')?.focus();
  };
  return (
    <form ref={form} className="stack" onSubmit={submit} noValidate>
      <Control
        filter={filter}
        values={typed}
        change={setTyped}
        zone={zone}
        currency={currency}
        isWrong={isWrong}
      />
      <button type="submit" className="main-button">
        {locale.t('filter.apply')}
      </button>
    </form>
  );
}

function Control(props: {
  filter: Filter;
  values: string[];
  change: (values: string[]) => void;
  zone: string;
  currency: string;
  isWrong: boolean;
}) {
  const { t, tName, language, countryName } = useLocale();
  const id = useId();
  const { filter, values, change, zone, currency, isWrong } = props;
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
  if (filter.kind === 'pick') return <Pick filter={filter} chosen={first} change={change} />;
  const isMoney = filter.kind === 'money';
  const isCountry = filter.kind === 'country';
  const isDay = filter.kind === 'day' || filter.kind === 'dayEnd';
  const moment = isDay ? toMoment(first) : null;
  const takeDay = (day: string) => {
    if (day === '') return change([day]);
    const begins = startOfDay(day, zone);
    // Up to and with the day that was chosen.
    change([
      String(filter.kind === 'day' ? begins : startOfDay(toDay(begins + 1.5 * DAY_MS, zone), zone) - 1),
    ]);
  };
  return (
    <div className="text-field">
      <label htmlFor={id}>{t(filter.label)}</label>
      {isDay ? (
        <DayInput id={id} value={moment === null ? '' : toDay(moment, zone)} take={takeDay} />
      ) : (
        <input
          id={id}
          type="text"
          inputMode={isMoney ? 'decimal' : undefined}
          value={first}
          aria-invalid={isWrong || undefined}
          aria-describedby={isMoney || isCountry ? `${id}-hint` : undefined}
          onChange={(event) => change([event.currentTarget.value])}
        />
      )}
      {isMoney ? (
        <p id={`${id}-hint`} className={isWrong ? 'field-error' : 'field-hint'}>
          {t(isWrong ? 'filter.noAmount' : 'filter.amount', {
            currency,
            example: writeAmount(1999, decimalsOf(currency), language),
          })}
        </p>
      ) : null}
      {isCountry ? (
        <p id={`${id}-hint`} className={isWrong ? 'field-error' : 'field-hint'}>
          {t(isWrong ? 'filter.noCountry' : 'filter.country', { example: countryName('DE') })}
        </p>
      ) : null}
      {isDay ? <p className="field-hint">{t('list.zone', { zone })}</p> : null}
    </div>
  );
}

/** One of many, in the order of what they are called; what the address holds beyond them is one, too. */
function Pick(props: { filter: Filter; chosen: string; change: (values: string[]) => void }) {
  const locale = useLocale();
  const { filter, chosen, change } = props;
  const nameOf = (value: string) => filter.nameOf?.(value, locale) ?? locale.tName(filter.names ?? '', value);
  const options = [...new Set([...(filter.options ?? []), ...(chosen ? [chosen] : [])])]
    .map((value) => ({ value, name: nameOf(value) }))
    .sort((one, other) => one.name.localeCompare(other.name, locale.language));
  return (
    <label className="text-field">
      {locale.t(filter.label)}
      <select value={chosen} onChange={(event) => change([event.currentTarget.value])}>
        <option value="">{locale.t('form.none')}</option>
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
