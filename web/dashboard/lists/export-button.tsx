import { Suspense, useLayoutEffect, useState } from 'react';
import type { Row } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { areKeysOff, isTaken } from '../app/use-keys.ts';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { toFilterQuery } from './query.ts';
import { idOf } from './row-id.ts';
import type { ListDeclaration } from './types.ts';

const ExportDialog = later(() => import('../dialogs/export.tsx'));

interface ExportProps {
  declaration: ListDeclaration;
  search: string;
  rows: readonly Row[];
  selected: ReadonlySet<string>;
}

/** The rows of the filter, or those that are selected, as a file. */
export function ExportButton({ declaration, search, rows, selected }: ExportProps) {
  const { t } = useLocale();
  const { may } = useStore();
  const [isOpen, setOpen] = useState(false);
  const isAllowed = may('exports', 'write') && may(declaration.area);
  useLayoutEffect(() => {
    if (!isAllowed) return;
    const press = (event: KeyboardEvent) => {
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey;
      if (event.key !== 'e' || !isPlain || areKeysOff() || isTaken(event)) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isAllowed]);
  if (!isAllowed) return null;
  const query = new URLSearchParams(toFilterQuery(search));
  for (const [name, value] of Object.entries(declaration.fixed ?? {})) query.set(name, value);
  const chosen = rows.filter((row) => selected.has(idOf(declaration, row)));
  return (
    <>
      <button type="button" className="quiet-button" onClick={() => setOpen(true)}>
        {t('export.button')}
      </button>
      {isOpen ? (
        <Suspense>
          <ExportDialog
            what={{
              kind: 'list',
              resource: declaration.resource,
              query: query.toString(),
              ids: [...new Set(chosen.map((row) => String(row.id)))],
            }}
            close={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
