import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '../api/client.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { type Copied, MissingOffers, type Stores } from './copy-catalogue.ts';
import { DialogFrame } from './frame.tsx';

interface CopyProps {
  row: Row;
  copy: (stores: Stores, row: Row) => Promise<Copied>;
  close: () => void;
}

/** Made anew in the live store; what was made is said in the end, also of a copy that broke off. */
export function CopyToLive({ row, copy, close }: CopyProps) {
  const { t } = useLocale();
  const { store } = useStore();
  const { workspaceId } = store;
  const work = useMutation<Copied, Error>({
    mutationFn: () => copy({ test: store, live: { workspaceId, mode: 'live' } }, row),
  });
  const error = work.error;
  if (!work.data) {
    return (
      <DialogFrame
        title={t('action.copyToLive')}
        text={t('copyToLive.text', {
          name: textOf(row, 'name') || textOf(row, 'discountCode') || textOf(row, 'label'),
        })}
        confirm={t('action.copyToLive')}
        isBusy={work.isPending}
        close={close}
        submit={() => work.mutate()}
      >
        <ErrorNotice text={error && describe(error, t)} />
      </DialogFrame>
    );
  }
  return (
    <Dialog onClose={close} title={t('copyToLive.done')}>
      <div className="stack">
        <Made copied={work.data} />
        {work.data.path ? (
          <p>
            <Link href={`~/dashboard/${workspaceId}/live${work.data.path}`}>{t('copyToLive.show')}</Link>
          </p>
        ) : null}
        <button type="button" className="main-button" onClick={close}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}

function describe(error: Error, t: ReturnType<typeof useLocale>['t']): string {
  if (error instanceof MissingOffers) return t('copyToLive.missing', { names: error.names.join(', ') });
  if (!(error instanceof ApiError)) return String(error);
  return [error.message, ...error.details.map(({ path, message }) => `${path}: ${message}`)].join(' ');
}

function Made({ copied }: { copied: Copied }) {
  const { t } = useLocale();
  return (
    <>
      <ul className="row-list">
        {copied.made.map(({ kind, name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was made is a list that never changes.
          <li key={index}>
            <span className="soft">{t(`copied.${kind}`)}</span> <strong>{name}</strong>
          </li>
        ))}
      </ul>
      {copied.withoutFile.length > 0 ? (
        <p className="notice">{t('copyToLive.files', { names: copied.withoutFile.join(', ') })}</p>
      ) : null}
    </>
  );
}
