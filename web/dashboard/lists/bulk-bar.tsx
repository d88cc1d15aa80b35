/** Many rows at once: one public call a row, four at a time; what failed stays selected, with its reason. */
import { useRef, useState } from 'react';
import { ApiError, call, newKey } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { type LoadedFile, loadFile, saveFile, toArchive } from './files.ts';
import { idOf } from './row-id.ts';
import { runEach } from './run-each.ts';
import type { ListDeclaration, RowAction } from './types.ts';
import { useActions } from './use-actions.tsx';

interface BulkProps {
  declaration: ListDeclaration;
  rows: readonly Row[];
  selected: ReadonlySet<string>;
  select: (ids: ReadonlySet<string>) => void;
}

interface Outcome {
  done: number;
  failed: Array<{ id: string; name: string; reason: string }>;
  undo: Row[];
  action: RowAction;
}

export function BulkBar({ declaration, rows, selected, select }: BulkProps) {
  const { t } = useLocale();
  const { store } = useStore();
  const { allowed, refresh } = useActions(declaration);
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const stop = useRef<AbortController | null>(null);
  const chosen = rows.filter((row) => selected.has(idOf(declaration, row)));
  const bulk = allowed.filter((action) => action.call ?? action.file);
  const run = async (action: RowAction, targets: Row[], isUndo = false) => {
    stop.current = new AbortController();
    setOutcome(null);
    setProgress({ done: 0, total: targets.length });
    const of = isUndo ? action.undo : action.call;
    const files: LoadedFile[] = [];
    const result = await runEach(targets, stop.current.signal, {
      work: async (row) => {
        if (action.file) return void files.push(await loadFile(action.file(row)));
        const asked = of?.(row);
        if (asked) await call({ store, ...asked, idempotencyKey: newKey() });
      },
      moved: (done) => setProgress({ done, total: targets.length }),
    });
    setProgress(null);
    if (files.length > 0) saveFile({ name: `${declaration.name}.zip`, blob: await toArchive(files) });
    const failed = result.failed.map(({ item, error }) => ({
      id: idOf(declaration, item),
      name: declaration.nameOf(item),
      reason: error instanceof ApiError ? error.code : String(error),
    }));
    setOutcome({ done: result.done.length, failed, undo: isUndo ? [] : result.done, action });
    await refresh();
    // What failed, and what was not begun when it was stopped, stays selected.
    const done = new Set(result.done.map((row) => idOf(declaration, row)));
    const left = targets.map((row) => idOf(declaration, row)).filter((id) => !done.has(id));
    select(new Set(isUndo ? failed.map(({ id }) => id) : left));
  };
  if (chosen.length === 0 && !progress && !outcome) return null;
  return (
    <section className="bulk-bar" aria-label={t('bulk.title')}>
      {progress ? (
        <>
          <progress value={progress.done} max={progress.total} aria-label={t('bulk.progress')} />
          <span>{t('bulk.of', progress)}</span>
          <button type="button" className="plain-button" onClick={() => stop.current?.abort()}>
            {t('bulk.stop')}
          </button>
        </>
      ) : null}
      {!progress && chosen.length > 0 ? (
        <>
          <strong>{t('bulk.selected', { count: chosen.length })}</strong>
          {bulk.map((action) => (
            <button
              key={action.id}
              type="button"
              className="plain-button"
              onClick={() => void run(action, chosen)}
            >
              {t(action.bulkLabel ?? action.label)}
            </button>
          ))}
          <button type="button" className="link-button" onClick={() => select(new Set())}>
            {t('bulk.clear')}
          </button>
        </>
      ) : null}
      {outcome && !progress ? (
        <div role="status" className="bulk-outcome">
          <span>{t('bulk.done', { count: outcome.done })}</span>
          {outcome.failed.map(({ id, name, reason }) => (
            <span key={id} className="field-error">
              {name}: {reason}
            </span>
          ))}
          {outcome.undo.length > 0 && outcome.action.undo ? (
            <button
              type="button"
              className="link-button"
              onClick={() => void run(outcome.action, outcome.undo, true)}
            >
              {t('undo.button')}
            </button>
          ) : null}
          <button type="button" className="link-button" onClick={() => setOutcome(null)}>
            {t('close')}
          </button>
        </div>
      ) : null}
    </section>
  );
}
