import { notifications } from '@mantine/notifications';
import { newKey } from '../api/client.ts';
import type { Locale } from './locale.tsx';

const UNDO_MS = 10_000;

/** Says what was done, in a sentence, and takes it back for as long as it is shown. */
export function showUndo(done: string, undo: () => Promise<unknown>, { t }: Pick<Locale, 't'>): void {
  const id = `undo-${newKey()}`;
  const press = () => {
    notifications.hide(id);
    undo().catch((error: unknown) =>
      notifications.show({
        color: 'danger',
        message: error instanceof Error ? error.message : String(error),
      }),
    );
  };
  notifications.show({
    id,
    autoClose: UNDO_MS,
    message: (
      <span className="toast">
        {done}
        <button type="button" className="link-button" onClick={press}>
          {t('undo.button')}
        </button>
      </span>
    ),
  });
}
