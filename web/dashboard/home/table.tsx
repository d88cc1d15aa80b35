import type { ReactNode } from 'react';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

interface TableProps {
  title: string;
  names: string[];
  rows: ReactNode[][];
  error: Error | null;
}

/** The rows of an answer in their order; on a phone each is a card. */
export function Table({ title, names, rows, error }: TableProps) {
  const { t } = useLocale();
  if (error) return <ErrorNotice text={error.message} />;
  if (rows.length === 0) return <p className="empty-text soft">{t('none')}</p>;
  return (
    <div className="table-frame">
      <table className="list-table" aria-label={title}>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of an answer stay in their order.
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={names[at]} data-label={names[at]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
