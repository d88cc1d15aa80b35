import type { Row } from '../api/objects.ts';
import { useLocale } from '../ui/locale.tsx';
import { PAGE_SIZE, PAGE_SIZES, withPage } from './query.ts';

interface Page {
  count: number | null;
  cursor: string | null;
  previousCursor: string | null;
  hasMore: boolean;
}

/** Where an answer of a list stands among the others. */
export function toPageOf(data: Row): Page {
  const { count, cursor, previousCursor, hasMore } = data;
  return {
    count: typeof count === 'number' ? count : null,
    cursor: typeof cursor === 'string' ? cursor : null,
    previousCursor: typeof previousCursor === 'string' ? previousCursor : null,
    hasMore: hasMore === true,
  };
}

interface PagingProps {
  page: Page;
  rows: number;
  search: string;
  go: (search: string) => void;
}

export function Paging({ page, rows, search, go }: PagingProps) {
  const { t, number } = useLocale();
  const take = Number(new URLSearchParams(search).get('take')) || PAGE_SIZE;
  const resize = (size: string) => {
    const query = new URLSearchParams(withPage(search, null));
    if (Number(size) === PAGE_SIZE) query.delete('take');
    else query.set('take', size);
    go(query.toString());
  };
  return (
    <div className="paging">
      <span className="soft">
        {page.count === null
          ? t('list.shown', { count: number(rows) })
          : t('list.count', { count: number(page.count) })}
      </span>
      <label>
        {t('list.perPage')}
        <select value={take} onChange={(event) => resize(event.currentTarget.value)}>
          {[...new Set([...PAGE_SIZES, take])].map((size) => (
            <option key={size} value={size}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <span className="button-row">
        <button
          type="button"
          className="plain-button"
          disabled={page.previousCursor === null}
          onClick={() => go(withPage(search, page.previousCursor))}
        >
          {t('list.previous')}
        </button>
        <button
          type="button"
          className="plain-button"
          disabled={page.cursor === null || !page.hasMore}
          onClick={() => go(withPage(search, page.cursor))}
        >
          {t('list.next')}
        </button>
      </span>
    </div>
  );
}
