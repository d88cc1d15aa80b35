/** A copy of all that the shop has of a buyer, and how it comes to have nothing any more. */
import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { useData, usePortal, usePress } from '../context.tsx';
import type { OwnSession } from '../shapes.ts';
import { p } from '../text.ts';

interface ExportData {
  export: { status: 'none' | 'pending' | 'ready' | 'failed'; url: string | null; expiresAt: number | null };
}

const POLL_MS = 1_500;

export function DataSection() {
  const { date } = useLocale();
  const { asking } = usePortal();
  const { data, put, reload } = useData<ExportData>('/export');
  const { isBusy, error, press } = usePress();
  const copy = data?.export ?? null;
  useEffect(() => {
    if (copy?.status !== 'pending') return;
    const timer = window.setTimeout(reload, POLL_MS);
    return () => window.clearTimeout(timer);
  }, [data]);
  const ask = async () => {
    const next = await press(() => asking.send<ExportData>('POST', '/export'));
    if (next) put(next);
  };
  return (
    <section aria-label={p('account.data')}>
      <h2>{p('account.data')}</h2>
      <p>{p('account.exportText')}</p>
      <p role="status">
        {copy?.status === 'pending' && p('account.exportPending')}
        {copy?.status === 'failed' && p('account.exportFailed')}
        {copy?.status === 'ready' && p('account.exportReady', { date: date(copy.expiresAt ?? 0) })}
      </p>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="portal-actions">
        {copy?.url && (
          <a class="primary" href={copy.url} download="my-data.json">
            {p('account.exportDownload')}
          </a>
        )}
        <button
          type="button"
          class="secondary"
          disabled={isBusy || copy?.status === 'pending'}
          onClick={() => void ask()}
        >
          {p('account.export')}
        </button>
      </div>
    </section>
  );
}

interface DeletionData {
  deletion: OwnSession['deletion'];
}

/** Two presses: what goes and what stays is said before the second. */
export function DeletionSection({ session }: { session: OwnSession }) {
  const { date } = useLocale();
  const { asking } = usePortal();
  const { isBusy, error, press } = usePress();
  const [deletion, setDeletion] = useState(session.deletion);
  const [isAsking, setAsking] = useState(false);
  const send = async (method: 'POST' | 'DELETE') => {
    const next = await press(() => asking.send<DeletionData>(method, '/deletion'));
    if (!next) return;
    setDeletion(next.deletion);
    setAsking(false);
  };
  const isAsked = deletion.status !== 'none' && deletion.dueAt !== null;
  return (
    <section aria-label={p('account.delete')}>
      <h2>{p('account.delete')}</h2>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {isAsked && <p role="status">{p('account.deleteDue', { date: date(deletion.dueAt ?? 0) })}</p>}
      {isAsking && (
        <>
          <p>{p('account.deleteText')}</p>
          <p>{p('account.deleteStays')}</p>
          <p>
            {session.features.deletion === 'automatic'
              ? p('account.deleteAutomatic')
              : p('account.deleteRequest')}
          </p>
        </>
      )}
      <div class="portal-actions">
        {isAsked && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void send('DELETE')}>
            {p('account.deleteKeep')}
          </button>
        )}
        {!isAsked && (
          <button
            type="button"
            class="secondary danger"
            disabled={isBusy}
            onClick={() => (isAsking ? void send('POST') : setAsking(true))}
          >
            {p('account.delete')}
          </button>
        )}
        {isAsking && (
          <button type="button" class="secondary" onClick={() => setAsking(false)}>
            {p('account.cancel')}
          </button>
        )}
      </div>
    </section>
  );
}
