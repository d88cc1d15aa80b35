/** What a row's menu and the bar of selected rows can do. */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call, newKey } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { mayDo, mayUse, useStore } from '../app/store.tsx';
import { copyText } from '../ui/copy-text.ts';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { showUndo } from '../ui/undo-toast.tsx';
import { loadFile, saveFile } from './files.ts';
import type { ListDeclaration, RowAction } from './types.ts';

const ActionDialog = later(() => import('../dialogs/action-dialog.tsx'));

export function useActions(declaration: ListDeclaration) {
  const { may, store, workspace, isTest } = useStore();
  const locale = useLocale();
  const { t } = locale;
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<{ dialog: string; row: Row } | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: [`${store.workspaceId}/${store.mode}`] });
  const perform = async (of: { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown }) => {
    await call({ store, ...of, idempotencyKey: newKey() });
    await refresh();
  };
  const tellFailure = (error: unknown) =>
    notifications.show({
      color: 'danger',
      message: error instanceof ApiError ? error.message : String(error),
    });
  const offerUndo = (action: RowAction, row: Row) => {
    const of = action.undo?.(row);
    if (of) showUndo(t('undo.done', { name: declaration.nameOf(row) }), () => perform(of), locale);
  };
  const run = (action: RowAction, row: Row) => {
    if (action.opens) return navigate(action.opens(row));
    if (action.copies) {
      return void copyText(action.copies(row)).then(
        () => notifications.show({ message: t('copied') }),
        () => notifications.show({ color: 'danger', message: t('notCopied') }),
      );
    }
    if (action.file) return void loadFile(action.file(row)).then(saveFile, tellFailure);
    if (action.dialog) return setAsked({ dialog: action.dialog, row });
    const of = action.call?.(row);
    if (!of) return;
    perform(of)
      .then(() => action.undo && offerUndo(action, row))
      .catch(tellFailure);
  };
  const dialog: ReactNode = asked ? (
    <Suspense fallback={null}>
      <ActionDialog name={asked.dialog} row={asked.row} close={() => setAsked(null)} />
    </Suspense>
  ) : null;
  const allowed = (declaration.actions ?? []).filter(
    ({ area, copies, opens, file, toLive, dialog: name = '' }) =>
      (copies || opens || file ? may(area) : mayUse({ may }, name, area)) &&
      (!toLive || (isTest && mayDo(workspace, 'live', area, 'write'))),
  );
  return {
    allowed,
    fitting: (row: Row) => allowed.filter(({ fits }) => fits?.(row, { role: workspace.role, may }) ?? true),
    run,
    dialog,
    refresh,
  };
}
