import { Menu } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Row } from '../api/objects.ts';
import { isVisitable, type Sight } from '../app/places.ts';
import { useStore } from '../app/store.tsx';
import { areKeysOff, isTaken } from '../app/use-keys.ts';
import { useTools } from '../details/tools.ts';
import { Icon } from '../ui/icon.tsx';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { idOf } from './row-id.ts';
import type { Column, ListDeclaration } from './types.ts';
import { useActions } from './use-actions.tsx';

const RowDrawer = later(() => import('./row-drawer.tsx'));

interface TableProps {
  declaration: ListDeclaration;
  title: string;
  rows: readonly Row[];
  columns: readonly Column[];
  selected: ReadonlySet<string>;
  select: (ids: ReadonlySet<string>) => void;
  isStale: boolean;
  /** False where nothing is done with many rows, and no file is made of them. */
  isSelectable?: boolean;
}

export function ListTable(props: TableProps) {
  const { t } = useLocale();
  const sight = useStore();
  const { zone } = sight;
  const { declaration, rows, columns, selected, select, title, isSelectable = true } = props;
  const hasActions = (declaration.actions ?? []).length > 0;
  const ids = rows.map((row) => idOf(declaration, row));
  const href = (row: Row) => toHref(declaration, row, sight) ?? '';
  const areAll = ids.length > 0 && ids.every((id) => selected.has(id));
  const body = useRef<HTMLTableSectionElement>(null);
  const [shown, setShown] = useState<Row | null>(null);
  useRowKeys(body, {
    toggle: (index) => isSelectable && toggle(ids[index] ?? ''),
    show: (index) => setShown(rows[index] ?? null),
  });
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    select(next);
  };
  return (
    <div className="table-frame" data-stale={props.isStale}>
      <table className="list-table" aria-label={title}>
        <thead>
          <tr>
            {isSelectable ? (
              <th className="check-cell">
                <input
                  type="checkbox"
                  aria-label={t('list.selectAll')}
                  checked={areAll}
                  onChange={() => select(areAll ? new Set() : new Set(ids))}
                />
              </th>
            ) : null}
            {columns.map(({ id, label, isEnd }) => (
              <th key={id} scope="col" className={isEnd ? 'end' : undefined}>
                {t(label)}
              </th>
            ))}
            {hasActions ? (
              <th className="more-cell">
                <span className="sr-only">{t('list.actions')}</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <ListRow
              key={ids[index]}
              declaration={declaration}
              row={row}
              columns={columns}
              isSelectable={isSelectable}
              isSelected={selected.has(ids[index] ?? '')}
              toggle={() => toggle(ids[index] ?? '')}
            />
          ))}
        </tbody>
      </table>
      <p className="zone-note">{t('list.zone', { zone })}</p>
      <Suspense fallback={null}>
        {shown && href(shown) ? (
          <RowDrawer href={href(shown)} name={declaration.nameOf(shown)} close={() => setShown(null)} />
        ) : null}
      </Suspense>
    </div>
  );
}

/** Null of a row that leads nowhere, or to what the member may not look at. */
function toHref({ hrefOf }: ListDeclaration, row: Row, sight: Sight): string | null {
  const href = hrefOf?.(row) ?? null;
  return href !== null && isVisitable(sight, href) ? href : null;
}

interface RowProps {
  declaration: ListDeclaration;
  row: Row;
  columns: readonly Column[];
  isSelectable: boolean;
  isSelected: boolean;
  toggle: () => void;
}

function ListRow({ declaration, row, columns, isSelectable, isSelected, toggle }: RowProps) {
  const tools = useTools();
  const { locale } = tools;
  const [, navigate] = useLocation();
  const href = toHref(declaration, row, useStore());
  const name = declaration.nameOf(row);
  const hasActions = (declaration.actions ?? []).length > 0;
  const open = (event: MouseEvent | KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    if (!href || target?.closest('a, button, input, label, [role="menu"]')) return;
    if (window.getSelection()?.toString()) return;
    navigate(href);
  };
  return (
    <tr onClick={open} data-selected={isSelected} className={href ? 'opens' : undefined}>
      {isSelectable ? (
        <td className="check-cell">
          <input
            type="checkbox"
            aria-label={locale.t('list.select', { name })}
            checked={isSelected}
            onChange={toggle}
          />
        </td>
      ) : null}
      {columns.map((column, index) => {
        const drawn = column.draw(row, tools);
        return (
          <td
            key={column.id}
            className={column.isEnd ? 'end' : undefined}
            data-label={locale.t(column.label)}
          >
            {index === 0 && href ? (
              <Link href={href} className="row-link">
                {drawn}
              </Link>
            ) : (
              drawn
            )}
          </td>
        );
      })}
      {hasActions ? (
        <td className="more-cell">
          <RowMenu declaration={declaration} row={row} name={name} />
        </td>
      ) : null}
    </tr>
  );
}

function RowMenu({ declaration, row, name }: { declaration: ListDeclaration; row: Row; name: string }) {
  const { t } = useLocale();
  const { fitting, run, dialog } = useActions(declaration);
  const actions = fitting(row);
  return (
    <>
      {dialog}
      {actions.length === 0 ? null : (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className="icon-button" aria-label={t('list.actionsFor', { name })}>
              <Icon name="more" />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map((action) => (
              <Menu.Item key={action.id} data-danger={action.isDanger} onClick={() => run(action, row)}>
                {t(action.label)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** `j` and `k` go from row to row; of the one that holds the focus `x` selects it, Space shows it beside the list. */
function useRowKeys(
  body: { current: HTMLTableSectionElement | null },
  on: { toggle: (index: number) => void; show: (index: number) => void },
): void {
  const latest = useRef(on);
  latest.current = on;
  useLayoutEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || areKeysOff() || isTaken(event)) return;
      const rows = [...(body.current?.rows ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'j' || event.key === 'k') {
        const next = rows[event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
        const target =
          next?.querySelector<HTMLElement>('.row-link') ?? next?.querySelector<HTMLElement>('input, button');
        target?.focus();
        next?.scrollIntoView({ block: 'nearest' });
      } else if (event.key === 'x' && at >= 0) latest.current.toggle(at);
      else if (event.key === ' ' && document.activeElement?.matches('.row-link')) {
        event.preventDefault();
        latest.current.show(at);
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [body]);
}
