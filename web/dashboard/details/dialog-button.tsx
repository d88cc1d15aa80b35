import { Suspense, useState } from 'react';
import type { Row } from '../api/objects.ts';
import { mayUse, useStore } from '../app/store.tsx';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

const ActionDialog = later(() => import('../dialogs/action-dialog.tsx'));

/** Opens the dialog of a name; whoever may not do it has no such button. */
export function DialogButton(props: {
  dialog: string;
  row: Row;
  label: TextKey;
  area: string;
  isDanger?: boolean;
}) {
  const { t } = useLocale();
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  if (!mayUse(store, props.dialog, props.area)) return null;
  return (
    <>
      <button
        type="button"
        className="plain-button"
        data-danger={props.isDanger}
        onClick={() => setOpen(true)}
      >
        {t(props.label)}
      </button>
      <Suspense fallback={null}>
        {isOpen ? <ActionDialog name={props.dialog} row={props.row} close={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
