import { Fragment, type ReactNode } from 'react';
import { useLocale } from '../ui/locale.tsx';
import type { Field } from './types.ts';
import type { Values } from './values.ts';

interface RowsProps {
  field: Field;
  value: unknown;
  change: (value: unknown) => void;
  /** Draws one field of a row. */
  draw: (field: Field, value: unknown, change: (value: unknown) => void) => ReactNode;
}

/** A list of objects, each with the fields that the API gives it: added, changed and removed row by row. */
export function RowsInput({ field, value, change, draw }: RowsProps) {
  const { t } = useLocale();
  const columns = field.columns ?? [];
  const rows = Array.isArray(value) ? (value as Values[]) : [];
  const add = () =>
    change([...rows, Object.fromEntries(columns.map(({ name, initial = '' }) => [name, initial]))]);
  const remove = (at: number) => change(rows.filter((_, index) => index !== at));
  const edit = (at: number, name: string, typed: unknown) =>
    change(rows.map((row, index) => (index === at ? { ...row, [name]: typed } : row)));
  const noun = field.rowName ? t(field.rowName) : '';
  return (
    <>
      {rows.map((row, at) => (
        // Rows have no name of their own: their place is what they are told by.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <fieldset key={at} className="field-row">
          <legend>
            {noun} {at + 1}
          </legend>
          {columns.map((column) => (
            <Fragment key={column.name}>
              {draw(column, row[column.name], (typed) => edit(at, column.name, typed))}
            </Fragment>
          ))}
          <button
            type="button"
            className="quiet-button"
            aria-label={t('form.removeRow', { row: `${noun} ${at + 1}` })}
            onClick={() => remove(at)}
          >
            {t('action.remove')}
          </button>
        </fieldset>
      ))}
      {rows.length === 0 ? <p className="soft">{t('form.noRows')}</p> : null}
      <button type="button" className="plain-button" onClick={add}>
        {t('form.addRow', { row: noun })}
      </button>
    </>
  );
}
