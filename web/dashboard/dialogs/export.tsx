/** A list, or all of one user, as a file: what it will hold, how far it is, and where it is. */

import { useId, useState } from 'react';
import type { Row } from '../api/objects.ts';
import { textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';

type What =
  | {
      kind: 'list';
      resource: string;
      query: string;
      /** Of selected rows; none = all that the filter finds. */
      ids: readonly string[];
    }
  | { kind: 'user'; userId: string; name: string };

interface ExportProps {
  what: What;
  close: () => void;
}

const FORMATS = ['csv', 'ndjson'] as const;
const LOOK_MS = 400;
const UNDER_WAY = new Set(['queued', 'running']);

export default function ExportDialog({ what, close }: ExportProps) {
  const { t } = useLocale();
  useReturnFocus();
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('csv');
  const start = useWrite<{ export: Row }>();
  const cancel = useWrite<{ export: Row }>();
  const id = start.data ? textOf(start.data.export, 'id') : '';
  const [isOver, setOver] = useState(false);
  const read = useRead<{ export: Row }>(`/v0/exports/${id}`, {
    enabled: id !== '',
    everyMs: isOver ? false : LOOK_MS,
  });
  const shown = id === '' ? undefined : (read.data?.export ?? start.data?.export);
  const isUnderWay = shown !== undefined && UNDER_WAY.has(textOf(shown, 'status'));
  if (shown && !isUnderWay !== isOver) setOver(!isUnderWay);
  const error = start.error ?? cancel.error ?? read.error;
  return (
    <Dialog onClose={close} title={t(what.kind === 'user' ? 'export.user' : 'export.title')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!start.isPending && !isUnderWay)
            start.mutate({ method: 'POST', path: '/v0/exports/create', body: toBody(what, format) });
        }}
      >
        <Extent what={what} />
        <ErrorNotice text={error?.message} />
        {shown ? (
          <Progress shown={shown} />
        ) : what.kind === 'list' ? (
          <FormatChoice format={format} choose={(next) => setFormat(next)} />
        ) : null}
        <div className="dialog-buttons">
          {isUnderWay ? (
            <button
              type="button"
              className="plain-button"
              onClick={() => cancel.mutate({ method: 'POST', path: `/v0/exports/${id}/cancel`, body: {} })}
            >
              {t('export.stop')}
            </button>
          ) : (
            <button type="button" className="plain-button" onClick={close}>
              {t('close')}
            </button>
          )}
          {shown ? null : (
            <button type="submit" className="main-button" aria-busy={start.isPending}>
              {t('export.start')}
            </button>
          )}
          {shown?.url ? (
            <a className="main-button" href={textOf(shown, 'url')} download>
              {t('export.download')}
            </a>
          ) : null}
        </div>
      </form>
    </Dialog>
  );
}

function toBody(what: What, format: (typeof FORMATS)[number]) {
  if (what.kind === 'user') return { kind: what.kind, userId: what.userId };
  const { kind, resource, query, ids } = what;
  return { kind, resource, query, format, ...(ids.length > 0 ? { ids } : {}) };
}

function Extent({ what }: { what: What }) {
  const { t } = useLocale();
  if (what.kind === 'user') return <p>{t('export.userText', { name: what.name })}</p>;
  const count = what.ids.length;
  return (
    <>
      <p>{count > 0 ? t('export.selected', { count }) : t('export.all')}</p>
      <p className="soft">{t('export.utc')}</p>
    </>
  );
}

function FormatChoice(props: {
  format: (typeof FORMATS)[number];
  choose: (format: (typeof FORMATS)[number]) => void;
}) {
  const { t } = useLocale();
  const name = useId();
  return (
    <fieldset className="stack">
      <legend>{t('export.format')}</legend>
      {FORMATS.map((one) => (
        <label key={one} className="check-row">
          <input type="radio" name={name} checked={props.format === one} onChange={() => props.choose(one)} />
          {one.toUpperCase()}
        </label>
      ))}
    </fieldset>
  );
}

/** Where nobody has counted yet the bar says only that something happens. */
function Progress({ shown }: { shown: Row }) {
  const { t, number } = useLocale();
  const rows = Number(shown.rows);
  const total = typeof shown.total === 'number' ? shown.total : null;
  const status = textOf(shown, 'status');
  return (
    <div className="stack" role="status">
      <progress
        aria-label={t('export.progress')}
        {...(status === 'done' ? { value: 1, max: 1 } : total ? { value: rows, max: total } : {})}
      />
      <ErrorNotice text={status === 'failed' ? t('export.failed') : null} />
      {status === 'canceled' ? <p>{t('export.stopped')}</p> : null}
      {total === null ? null : <p>{t('export.rows', { rows: number(rows), total: number(total) })}</p>}
    </div>
  );
}
