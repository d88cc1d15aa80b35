import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { DialogButton } from './dialog-button.tsx';

const WAITING = new Set(['PENDING', 'FAILED']);

/** Of a payment whose money comes outside, where it has not come yet. */
export function ReceiveButton({ payment }: { payment: Row }) {
  const charge = rowsOf(payment, 'charges').at(-1);
  const isOff = textOf(payment, 'type') === 'subscription_update' && textOf(payment, 'status') === 'FAILED';
  if (charge?.byHand !== true || !WAITING.has(textOf(payment, 'status')) || isOff) return null;
  return (
    <DialogButton dialog="receive-payment" row={payment} label="action.markReceived" area="corrections" />
  );
}
