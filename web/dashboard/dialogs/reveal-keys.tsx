import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { CopyButton } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';

/** The keys of an order in plain: each look is noted. */
export function RevealKeys({ row, close }: { row: Row; close: () => void }) {
  const { t } = useLocale();
  const write = useWrite<Row>();
  const number = textOf(row, 'number');
  const path = `/v0/orders/${encodeURIComponent(number)}/reveal-keys`;
  if (!write.data) {
    return (
      <DialogFrame
        title={t('action.revealKeys')}
        text={t('revealKeys.text')}
        confirm={t('action.revealKeys')}
        isBusy={write.isPending}
        error={write.error}
        close={close}
        submit={() => write.mutate({ method: 'POST', path, body: {} })}
      />
    );
  }
  const names = new Map(rowsOf(row, 'items').map((item) => [textOf(item, 'id'), textOf(item, 'name')]));
  return (
    <Dialog onClose={close} title={t('action.revealKeys')}>
      <ul className="row-list">
        {rowsOf(write.data, 'keys').map((key) => (
          <li key={textOf(key, 'id')}>
            <span>{names.get(textOf(key, 'itemId'))}</span>
            <code className="key-line">{textOf(key, 'key')}</code>
            <CopyButton text={textOf(key, 'key')} label={t('copy.this')} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
