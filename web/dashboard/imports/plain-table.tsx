import { type ReactNode, useId, useState } from 'react';
import { useLocale } from '../ui/locale.tsx';

export interface PlainColumn<T> {
  label: string;
  isEnd?: boolean;
  draw(row: T): ReactNode;
}

const SHOWN = 20;
const MORE = 100;

/** Rows of a part, under its heading: the first ones, and more of them on demand. On a phone each is a card. */
export function PlainTable<T>(props: {
  label: string;
  rows: readonly T[];
  columns: readonly PlainColumn<T>[];
  keyOf: (row: T, index: number) => string;
}) {
  const { t, number } = useLocale();
  const { label, rows, columns, keyOf } = props;
  const [shown, setShown] = useState(SHOWN);
  const id = useId();
  return (
    <>
      <div className="table-frame">
        <table className="list-table" id={id} aria-label={label}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.label} scope="col" className={column.isEnd ? 'end' : undefined}>
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              <tr key={keyOf(row, index)}>
                {columns.map((column) => (
                  <td
                    key={column.label}
                    className={column.isEnd ? 'end' : undefined}
                    data-label={column.label}
                  >
                    {column.draw(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shown ? (
        <button
          type="button"
          className="plain-button"
          aria-controls={id}
          onClick={() => setShown(shown + MORE)}
        >
          {t('import.more', { count: number(Math.min(MORE, rows.length - shown)) })}
        </button>
      ) : null}
    </>
  );
}
