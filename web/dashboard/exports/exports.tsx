/** Files that were made of lists, of a customer or of the store: how far each is, and where it lies. */
import { useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { prove } from '../api/client.ts';
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Actor } from '../app/actor.tsx';
import { useStore } from '../app/store.tsx';
import ExportDialog from '../dialogs/export.tsx';
import { ListTable } from '../lists/list-table.tsx';
import { Paging, toPageOf } from '../lists/paging.tsx';
import { toOperationQuery } from '../lists/query.ts';
import type { Column, ListDeclaration } from '../lists/types.ts';
import { Nothing, numberColumn, sizeColumn, statusColumn, timeColumn } from '../ui/cells.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Failure } from '../ui/failure.tsx';
import { type Locale, useLocale, useRoom } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { nameExport } from './name-export.ts';
import { isUnderWay, WATCH_MS } from './under-way.ts';

/** Before a link of the last answer is worth nothing. */
const LINK_MS = 10 * 60_000;

const nameOf = (row: Row, locale: Pick<Locale, 't'>) => nameExport(textOf(row, 'resource'), locale);

const columns: readonly Column[] = [
  { id: 'resource', label: 'exports.what', draw: (row, { locale }) => nameOf(row, locale) },
  {
    id: 'query',
    label: 'exports.filter',
    draw: (row) =>
      textOf(row, 'query') ? <span className="code-text cut">{textOf(row, 'query')}</span> : <Nothing />,
  },
  { id: 'format', label: 'export.format', draw: (row) => textOf(row, 'format').toUpperCase() },
  statusColumn('status', 'column.status', 'exportStatus.'),
  numberColumn('rows', 'exports.rows'),
  sizeColumn('sizeBytes', 'column.size'),
  { id: 'createdBy', label: 'column.who', draw: (row) => <Actor actor={textOf(row, 'createdBy')} /> },
  timeColumn('createdAt', 'column.created'),
  timeColumn('expiresAt', 'exports.keptUntil'),
  { id: 'file', label: 'exports.file', draw: (row) => <File row={row} /> },
];

const exports: ListDeclaration = {
  name: 'exports',
  resource: 'exports',
  object: 'export',
  area: 'exports',
  operation: '/v0/exports/list',
  rowsIn: 'exports',
  columns,
  filters: [],
  nameOf: (row) => textOf(row, 'id'),
};

const NONE: ReadonlySet<string> = new Set();

export default function Exports() {
  const { t } = useLocale();
  const isReady = useRoom('exports');
  useTitle(t('list.exports'));
  const { may, workspace } = useStore();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const read = useRead<Row>(exports.operation, {
    query: toOperationQuery(search),
    keep: true,
    everyMs: (data) => (rowsOf(data, 'exports').some(isUnderWay) ? WATCH_MS : LINK_MS),
  });
  const rows = rowsOf(read.data, 'exports');
  if (!isReady) return <Waiting />;
  return (
    <section className="sheet list-screen" aria-labelledby="exports-title">
      <div className="sheet-head">
        <h1 id="exports-title">{t('list.exports')}</h1>
        {workspace.role === 'owner' && may('exports', 'write') ? (
          <button type="button" className="main-button" onClick={() => setAsked(true)}>
            {t('export.store')}
          </button>
        ) : null}
      </div>
      <p className="soft lead">{t('exports.text')}</p>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {!read.data && !read.isError ? <Waiting /> : null}
      {read.data && rows.length === 0 ? <p className="empty-text">{t('exports.none')}</p> : null}
      {read.data && rows.length > 0 ? (
        <>
          <ListTable
            declaration={exports}
            title={t('list.exports')}
            rows={rows}
            columns={columns}
            selected={NONE}
            select={() => {}}
            isStale={read.isPlaceholderData}
            isSelectable={false}
          />
          <Paging
            page={toPageOf(read.data)}
            rows={rows.length}
            search={search}
            go={(next) => navigate(next === '' ? path : `${path}?${next}`)}
          />
        </>
      ) : null}
      {isAsked ? <ExportDialog what={{ kind: 'store' }} close={() => setAsked(false)} /> : null}
    </section>
  );
}

/** Where it is; one of buyers is shown to whoever has just proved who they are. */
function File({ row }: { row: Row }) {
  const locale = useLocale();
  const { t } = locale;
  const { may } = useStore();
  const write = useWrite();
  const id = textOf(row, 'id');
  const again = useRead<Row>(`/v0/exports/${id}`, { enabled: false });
  const name = nameOf(row, locale);
  const url = textOf(row, 'url') || textOf(rowOf(again.data, 'export'), 'url');
  const show = async () => {
    if (await prove()) await again.refetch();
  };
  if (url !== '')
    return (
      <a href={url} download aria-label={t('exports.downloadOf', { name })}>
        {t('export.download')}
      </a>
    );
  if (textOf(row, 'status') === 'done')
    return (
      <button
        type="button"
        className="link-button"
        aria-label={t('exports.downloadOf', { name })}
        onClick={() => void show()}
      >
        {t('export.download')}
      </button>
    );
  if (!isUnderWay(row) || !may('exports', 'write')) return <Nothing />;
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-label={t('exports.stopOf', { name })}
        aria-busy={write.isPending}
        onClick={() => write.mutate({ method: 'POST', path: `/v0/exports/${id}/cancel`, body: {} })}
      >
        {t('export.stop')}
      </button>
      <ErrorNotice text={write.error?.message} />
    </>
  );
}
