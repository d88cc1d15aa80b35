import type { Row } from '../api/objects.ts';
import { mayDo, useStore } from '../app/store.tsx';
import { DialogButton } from './dialog-button.tsx';

/** Of the test store alone, for whoever may write the same in live. */
export function CopyToLiveButton({ row, dialog, area }: { row: Row; dialog: string; area: string }) {
  const { workspace, isTest } = useStore();
  if (!isTest || !mayDo(workspace, 'live', area, 'write')) return null;
  return <DialogButton dialog={dialog} row={row} label="action.copyToLive" area={area} />;
}
