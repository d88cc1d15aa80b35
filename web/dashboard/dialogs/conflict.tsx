/** Both have changed the same field: a person says which of the two stays. */
import { type FormEvent, useState } from 'react';
import { useStore } from '../app/store.tsx';
import { labelOf } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import { fieldAmong, type Values } from '../forms/values.ts';
import { writeValue } from '../forms/written.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';

type Side = 'yours' | 'theirs';
const SIDES: readonly Side[] = ['yours', 'theirs'];

interface ConflictProps {
  name: string;
  fields: readonly Field[];
  mine: Values;
  /** What the fields hold now. */
  current: Values;
  currency: string;
  close: () => void;
  /** The fields in which theirs stays. */
  decide: (theirs: ReadonlySet<string>) => void;
}

export default function ConflictDialog({
  name,
  fields,
  mine,
  current,
  currency,
  close,
  decide,
}: ConflictProps) {
  const locale = useLocale();
  const { t } = locale;
  const { zone } = useStore();
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const write = (field: Field, values: Values) =>
    writeValue(fieldAmong(field, values), values[field.name], { locale, currency, zone }) ||
    t('conflict.empty');
  const held: Readonly<Record<Side, Values>> = { yours: { ...current, ...mine }, theirs: current };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    decide(new Set(fields.map((field) => field.name).filter((field) => sides[field] === 'theirs')));
  };
  return (
    <Dialog onClose={close} title={t('conflict.title')} leavesFreely>
      <form className="stack" onSubmit={submit}>
        <p>{t('conflict.text', { name })}</p>
        {fields.map((field) => (
          <fieldset key={field.name} className="option-list text-field">
            <legend>{labelOf(field, locale)}</legend>
            {SIDES.map((side) => (
              <label key={side}>
                <input
                  type="radio"
                  name={`side.${field.name}`}
                  checked={(sides[field.name] ?? 'yours') === side}
                  onChange={() => setSides({ ...sides, [field.name]: side })}
                />
                <span>
                  <strong>{t(`conflict.${side}`)}</strong>{' '}
                  <span className="conflict-value">{write(field, held[side])}</span>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
        <div className="dialog-buttons">
          <button type="button" className="plain-button" onClick={close}>
            {t('keep')}
          </button>
          <button type="submit" className="main-button">
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
