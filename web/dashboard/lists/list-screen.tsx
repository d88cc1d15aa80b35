/** The one list: its rows, filters, columns, pages and actions are what a declaration says. */
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Row } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { mayUse, useStore } from '../app/store.tsx';
import { onChanges } from '../app/use-changes.ts';
import { FormButton } from '../forms/form-button.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';
import { useTitle } from '../ui/use-title.ts';
import { useLate } from '../ui/waiting.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnsMenu } from './columns-menu.tsx';
import { EmptyList } from './empty-list.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ListTable } from './list-table.tsx';
import { listNew } from './news.ts';
import { Paging, toPageOf } from './paging.tsx';
import { toFilterQuery, toOperationQuery } from './query.ts';
import type { ListDeclaration } from './types.ts';
import { Views } from './views.tsx';

export function ListScreen({ declaration, above }: { declaration: ListDeclaration; above?: ReactNode }) {
  const { t } = useLocale();
  const title = t(`list.${declaration.name}` as TextKey);
  useTitle(title);
  const store = useStore();
  const { create } = declaration;
  return (
    <section className="sheet list-screen" aria-labelledby="list-title">
      <div className="sheet-head">
        <h1 id="list-title">{title}</h1>
        {create && mayUse(store, create.form, create.area) && (store.isTest || !create.onlyTest) ? (
          <FormButton form={create.form} label={t(create.label)} isMain />
        ) : null}
      </div>
      {above}
      <ListBody declaration={declaration} title={title} />
    </section>
  );
}

/** Without the head, for lists that stand within another screen. */
export function ListBody({ declaration, title }: { declaration: ListDeclaration; title: string }) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const { t } = useLocale();
  const query = toOperationQuery(search, declaration.fixed);
  const read = useListRead(declaration, query);
  const rows = useMemo(() => toRows(read.data, declaration), [read.data, declaration]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isRead, setRead] = useState(false);
  useEffect(() => setRead(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was selected was of the rows before.
  useEffect(() => setSelected(new Set()), [query]);
  const go = useCallback(
    (next: string) => navigate(next === '' ? path : `${path}?${next}`),
    [navigate, path],
  );
  const columns = useShownColumns(declaration, search);
  const news = useNews(declaration, rows);
  const isFiltered = toFilterQuery(search) !== '';
  const { refetch } = read;
  // Where there is no row nothing can move.
  useEffect(() => {
    if (news.count > 0 && rows.length === 0) void refetch();
  }, [news.count, rows.length, refetch]);
  return (
    <>
      <div className="list-tools">
        <FilterBar declaration={declaration} search={search} title={title} go={go} />
        <div className="list-looks">
          <Views declaration={declaration} search={search} go={go} />
          <ColumnsMenu declaration={declaration} search={search} go={go} />
          <ExportButton declaration={declaration} search={search} rows={rows} selected={selected} />
        </div>
      </div>
      {/* Laid over the list, so that no row moves under the pointer when it comes. */}
      <div className="news" role="status">
        {news.count > 0 ? (
          <button
            type="button"
            className="news-button"
            onClick={() => {
              news.clear();
              // The button goes: whoever pressed it by keyboard goes on in the rows.
              void read.refetch().then(() => document.querySelector<HTMLElement>('.row-link')?.focus());
            }}
          >
            {t('list.new', { count: news.count })}
          </button>
        ) : null}
      </div>
      {/* Below the filters: of what one of them is refused for, it is mended there. */}
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {!read.data && read.isError ? null : !read.data ? (
        <ListSkeleton />
      ) : rows.length === 0 ? (
        <EmptyList declaration={declaration} isFiltered={isFiltered} clear={() => go('')} />
      ) : (
        <ListTable
          declaration={declaration}
          title={title}
          rows={rows}
          columns={columns}
          selected={selected}
          select={setSelected}
          isStale={isRead && read.isPlaceholderData}
        />
      )}
      {read.data && (rows.length > 0 || search !== '') ? (
        <Paging page={toPageOf(read.data)} rows={rows.length} search={search} go={go} />
      ) : null}
      <BulkBar declaration={declaration} rows={rows} selected={selected} select={setSelected} />
    </>
  );
}

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

function ListSkeleton() {
  const isLate = useLate();
  return (
    <div className="list-skeleton" aria-busy="true">
      {isLate ? SKELETONS.map((name) => <span key={name} className="skeleton" />) : null}
    </div>
  );
}

/** Lists are told apart from all else in the cache: they are drawn anew only when somebody asks. */
function useListRead(declaration: ListDeclaration, query: string) {
  return useRead<Row>(declaration.operation, { query, keep: true, isList: true });
}

const toRows = (data: Row | undefined, { rowsIn }: ListDeclaration): Row[] => {
  const rows = data?.[rowsIn];
  return Array.isArray(rows) ? (rows as Row[]) : [];
};

function useShownColumns(declaration: ListDeclaration, search: string) {
  const wanted = new URLSearchParams(search).get('columns');
  return useMemo(() => {
    if (wanted === null) return declaration.columns.filter(({ isExtra }) => !isExtra);
    const names = wanted.split(',');
    const found = names.flatMap((name) => declaration.columns.filter(({ id }) => id === name));
    return found.length > 0 ? found : declaration.columns.filter(({ isExtra }) => !isExtra);
  }, [declaration, wanted]);
}

/** How many objects of the list's kind came into being since its rows were read. */
function useNews(declaration: ListDeclaration, rows: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const shown = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    shown.current = new Set(rows.map((row) => String(row.id)));
    setIds(new Set());
  }, [rows]);
  useEffect(
    () =>
      onChanges((changes) => {
        const fresh = listNew(changes, declaration.object, shown.current);
        if (fresh.length > 0) setIds((before) => new Set([...before, ...fresh]));
      }),
    [declaration.object],
  );
  return { count: ids.size, clear: () => setIds(new Set()) };
}
