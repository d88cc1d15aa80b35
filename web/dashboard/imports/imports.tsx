/** What another service held: files that were brought along, newest first. */
import { useLocation, useSearch } from 'wouter';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { Actor } from '../app/actor.tsx';
import { useStore } from '../app/store.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { Paging } from '../lists/paging.tsx';
import { toOperationQuery } from '../lists/query.ts';
import type { ListDeclaration } from '../lists/types.ts';
import { nameColumn, numberColumn, statusColumn, timeColumn } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { isUnderWay, WATCH_MS } from './under-way.ts';

const imports: ListDeclaration = {
  name: 'imports',
  resource: 'imports',
  object: 'import',
  area: 'imports',
  operation: '/v0/imports/list',
  rowsIn: 'imports',
  columns: [
    nameColumn('source', 'import.source', 'importSource.'),
    statusColumn('status', 'column.status', 'importStatus.'),
    numberColumn('lines', 'import.lines'),
    numberColumn('waiting', 'import.waiting'),
    { id: 'createdBy', label: 'column.who', draw: (row) => <Actor actor={textOf(row, 'createdBy')} /> },
    timeColumn('createdAt', 'column.created'),
    timeColumn('committedAt', 'import.committed'),
  ],
  filters: [],
  nameOf: (row) => `${textOf(row, 'source')} ${textOf(row, 'id').slice(-6)}`,
  hrefOf: (row) => `/settings/imports/${textOf(row, 'id')}`,
};

const NONE: ReadonlySet<string> = new Set();

interface Page extends Row {
  count: number | null;
  cursor: string | null;
  previousCursor: string | null;
  hasMore: boolean;
}

export default function Imports() {
  const { t } = useLocale();
  const isReady = useRoom('imports');
  useTitle(t('list.imports'));
  const { may } = useStore();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const read = useRead<Page>(imports.operation, {
    query: toOperationQuery(search),
    keep: true,
    everyMs: (data) => (rowsOf(data, 'imports').some(isUnderWay) ? WATCH_MS : false),
  });
  const rows = rowsOf(read.data, 'imports');
  if (!isReady) return <Waiting />;
  return (
    <section className="sheet list-screen" aria-labelledby="imports-title">
      <div className="sheet-head">
        <h1 id="imports-title">{t('list.imports')}</h1>
        {may('imports', 'write') ? <FormButton form="import" label={t('import.upload')} isMain /> : null}
      </div>
      <p className="soft lead">{t('import.text')}</p>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {!read.data && !read.isError ? <Waiting /> : null}
      {read.data && rows.length === 0 ? <p className="empty-text">{t('import.none')}</p> : null}
      {read.data && rows.length > 0 ? (
        <>
          <ListTable
            declaration={imports}
            title={t('list.imports')}
            rows={rows}
            columns={imports.columns}
            selected={NONE}
            select={() => {}}
            isStale={read.isPlaceholderData}
            isSelectable={false}
          />
          <Paging
            page={read.data}
            rows={rows.length}
            search={search}
            go={(next) => navigate(next === '' ? path : `${path}?${next}`)}
          />
        </>
      ) : null}
    </section>
  );
}
