/** Every dialog by its name. */
import type { ComponentType } from 'react';
import { type Row, textOf } from '../api/objects.ts';
import { later } from '../ui/later.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { ActivateImport } from './activate-import.tsx';
import { AddKeys } from './add-keys.tsx';
import { CancelSubscription } from './cancel-subscription.tsx';
import { ChangePlan } from './change-plan.tsx';
import { CommitImport } from './commit-import.tsx';
import { Confirm } from './confirm.tsx';
import { CONFIRMS } from './confirms.ts';
import { copyCheckout, copyCustomField, copyDiscount, copyProduct } from './copy-catalogue.ts';
import { CopyToLive } from './copy-to-live.tsx';
import { CorrectEmail } from './correct-email.tsx';
import { DUPLICATES, Duplicate } from './duplicate.tsx';
import { EDITS, Edit } from './edit.tsx';
import { ReceivePayment } from './receive-payment.tsx';
import { Refund } from './refund.tsx';
import { RevealKeys } from './reveal-keys.tsx';

const ExportDialog = later(() => import('./export.tsx'));

export interface DialogProps {
  row: Row;
  close: () => void;
}

const copying =
  (copy: Parameters<typeof CopyToLive>[0]['copy']) =>
  ({ row, close }: DialogProps) => <CopyToLive row={row} copy={copy} close={close} />;

const DIALOGS: Readonly<Record<string, ComponentType<DialogProps>>> = {
  refund: Refund,
  'receive-payment': ReceivePayment,
  'correct-email': CorrectEmail,
  'change-plan': ChangePlan,
  'cancel-subscription': CancelSubscription,
  'add-keys': AddKeys,
  'reveal-keys': RevealKeys,
  'commit-import': CommitImport,
  'activate-import': ActivateImport,
  'export-user': ({ row, close }) => (
    <ExportDialog
      what={{ kind: 'user', userId: textOf(row, 'id'), name: textOf(row, 'email') || textOf(row, 'id') }}
      close={close}
    />
  ),
  'copy-product': copying(copyProduct),
  'copy-discount': copying(copyDiscount),
  'copy-checkout': copying(copyCheckout),
  'copy-custom-field': copying(copyCustomField),
};

export default function ActionDialog({ name, row, close }: DialogProps & { name: string }) {
  useReturnFocus();
  const Own = DIALOGS[name];
  if (Own) return <Own row={row} close={close} />;
  const confirm = CONFIRMS[name];
  if (confirm) return <Confirm declaration={confirm} row={row} close={close} />;
  const edit = EDITS[name];
  if (edit) return <Edit declaration={edit} row={row} close={close} />;
  const duplicate = DUPLICATES[name];
  if (duplicate) return <Duplicate declaration={duplicate} row={row} close={close} />;
  throw new Error(`there is no dialog "${name}"`);
}
