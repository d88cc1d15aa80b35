import { type ReactNode, type SelectHTMLAttributes, useId } from 'react';
import { COUNTRIES } from '../../ui/countries.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { type Locale, useLocale } from '../ui/locale.tsx';
import { OffersInput } from './offers-input.tsx';
import { PermissionsInput } from './permissions-input.tsx';
import { RowsInput } from './rows-input.tsx';
import type { Field } from './types.ts';

interface InputProps {
  field: Field;
  value: unknown;
  error: string | null;
  change: (value: unknown) => void;
}

export function labelOf(field: Field, { t, tName }: Pick<Locale, 't' | 'tName'>): string {
  return field.label ? t(field.label) : tName('field.', field.name.split('.').at(-1) ?? field.name);
}

/** With a label of its own: not a box to tick, and not a group of boxes. */
const isAlone = ({ kind }: Field): boolean =>
  !['yes', 'permissions', 'rows', 'many', 'offers'].includes(kind);

/** One field of the API: its name in words, its hint, and what the API says is wrong with it. */
export function FieldInput(props: InputProps) {
  const { t, tName } = useLocale();
  const { field, error } = props;
  const id = useId();
  const label = labelOf(field, { t, tName });
  const { zone } = useStore();
  // Whose clock it is typed by.
  const clock = field.kind === 'time' ? t('list.zone', { zone: field.isUtc ? 'UTC' : zone }) : '';
  const hints = [clock, field.hint ? t(field.hint) : ''].filter(Boolean).join('. ');
  const notes =
    [
      error ? `${id}-error` : '',
      hints ? `${id}-hint` : '',
      // Beside the label, not in it: a field is called what the API calls it.
      isAlone(field) && !field.required ? `${id}-optional` : '',
    ]
      .filter(Boolean)
      .join(' ') || undefined;
  const below = <Below id={id} error={error} hints={hints} />;
  if (field.kind === 'yes') {
    return (
      <div className="text-field">
        <label className="check-row">
          <input
            type="checkbox"
            name={field.name}
            checked={props.value === true}
            aria-invalid={error ? true : undefined}
            aria-describedby={notes}
            onChange={(event) => props.change(event.currentTarget.checked)}
          />
          {label}
        </label>
        {below}
      </div>
    );
  }
  if (field.kind === 'permissions' || field.kind === 'rows')
    return <Compound {...props} label={label} notes={notes} below={below} />;
  if (field.kind === 'many' || field.kind === 'offers') {
    return (
      <fieldset
        className="option-list text-field"
        aria-describedby={notes}
        data-field={field.name}
        data-invalid={error ? true : undefined}
      >
        <legend>{label}</legend>
        <Options {...props} />
        {below}
      </fieldset>
    );
  }
  return (
    <div className="text-field">
      <span className="field-name">
        <label htmlFor={id}>{label}</label>
        {field.required ? null : (
          <span id={`${id}-optional`} className="soft">
            {t('form.optional')}
          </span>
        )}
      </span>
      <Control {...props} id={id} notes={notes} />
      {below}
    </div>
  );
}

/** What is wrong with a field, and its hints. */
function Below({ id, error, hints }: { id: string; error: string | null; hints: string }) {
  return (
    <>
      {error ? (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      ) : null}
      {hints ? (
        <p id={`${id}-hint`} className="field-hint">
          {hints}
        </p>
      ) : null}
    </>
  );
}

/** A field of many parts. */
function Compound({
  field,
  value,
  error,
  change,
  label,
  notes,
  below,
}: InputProps & { label: string; notes: string | undefined; below: ReactNode }) {
  return (
    <fieldset
      className="text-field row-fields"
      aria-describedby={notes}
      aria-invalid={error ? true : undefined}
      tabIndex={error ? -1 : undefined}
      data-field={field.name}
    >
      <legend>{label}</legend>
      {below}
      {field.kind === 'rows' ? (
        <RowsInput
          field={field}
          value={value}
          change={change}
          draw={(inner, typed, changeInner) => (
            <FieldInput field={inner} value={typed} error={null} change={changeInner} />
          )}
        />
      ) : (
        <PermissionsInput value={value} change={change} />
      )}
    </fieldset>
  );
}

function Control({
  field,
  value,
  error,
  change,
  id,
  notes,
}: InputProps & { id: string; notes: string | undefined }) {
  const { tName, countryName, t } = useLocale();
  const common = {
    id,
    name: field.name,
    value: String(value ?? ''),
    'aria-invalid': error ? true : undefined,
    'aria-describedby': notes,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  if (field.kind === 'long' || field.kind === 'lines' || field.kind === 'pairs')
    return <textarea rows={field.kind === 'lines' ? 5 : 3} {...common} />;
  if (field.kind === 'discount') return <DiscountSelect {...common} />;
  if (field.kind === 'choice') {
    return (
      <select {...common}>
        {field.required ? null : <option value="">{t('form.none')}</option>}
        {(field.options ?? []).map((option) => (
          <option key={option} value={option}>
            {field.optionNames?.[option] ?? tName(field.names ?? 'option.', option)}
          </option>
        ))}
      </select>
    );
  }
  if (field.kind === 'country') {
    const codes = [...(field.options ?? []), ...COUNTRIES];
    const sorted = codes
      .map((code) => ({ code, name: countryName(code) }))
      .sort((a, b) => a.name.localeCompare(b.name));
    return (
      <select {...common}>
        <option value="">{t('form.none')}</option>
        {sorted.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    );
  }
  return <input {...INPUTS[field.kind]} {...common} />;
}

function DiscountSelect(common: SelectHTMLAttributes<HTMLSelectElement>) {
  const { may } = useStore();
  const { t } = useLocale();
  const read = useRead<{ discounts: Row[] }>('/v0/discounts/list', {
    query: 'take=100',
    staleMs: CATALOGUE_MS,
    enabled: may('discounts'),
  });
  const discounts = read.data?.discounts ?? [];
  const chosen = String(common.value ?? '');
  // One that is not among these, or that the member may not look up, stays what is chosen.
  const isKept = chosen !== '' && discounts.every((one) => textOf(one, 'id') !== chosen);
  return (
    <select {...common}>
      <option value="">{t('form.none')}</option>
      {isKept ? <option value={chosen}>{chosen}</option> : null}
      {discounts.map((one) => (
        <option key={textOf(one, 'id')} value={textOf(one, 'id')}>
          {textOf(one, 'name') || textOf(one, 'discountCode') || textOf(one, 'id')}
        </option>
      ))}
    </select>
  );
}

const INPUTS: Partial<Record<Field['kind'], Record<string, string>>> = {
  email: { type: 'email', autoComplete: 'off' },
  url: { type: 'url', inputMode: 'url' },
  // No password of the browser's, and none that it should offer to keep.
  secret: { type: 'password', autoComplete: 'off' },
  number: { inputMode: 'numeric' },
  percent: { inputMode: 'decimal' },
  money: { inputMode: 'decimal', className: 'amount-input' },
  time: { type: 'datetime-local' },
  colour: { type: 'text', maxLength: '7' },
};

const CATALOGUE_MS = 60_000;

function Options({ field, value, change }: InputProps) {
  const { tName } = useLocale();
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const toggle = (id: string) =>
    change(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  if (field.kind === 'offers') return <OffersInput name={field.name} chosen={chosen} toggle={toggle} />;
  return (field.options ?? []).map((id) => (
    <label key={id}>
      <input type="checkbox" name={field.name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
      {field.nameOption?.(id, tName) ?? tName(field.names ?? 'option.', id)}
    </label>
  ));
}
