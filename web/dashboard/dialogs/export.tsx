/** A list, all of one user or of the store as a file: what it will hold, how far it is, and where it is. */

import { useId, useState } from 'react';
import type { ApiError } from '../api/client.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { isUnderWay } from '../exports/under-way.ts';
import { FieldInput } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import type { Values } from '../forms/values.ts';
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
  | { kind: 'user'; userId: string; name: string }
  | { kind: 'store' };

interface ExportProps {
  what: What;
  close: () => void;
}

const FORMATS = ['csv', 'ndjson'] as const;
const LOOK_MS = 400;
const OF_STORE: readonly Field[] = [
  { name: 'withSecrets', kind: 'yes' },
  { name: 'recipients', kind: 'lines', hint: 'field.recipientsHint' },
];
/** What the API says is wrong with a field. */
const sayWrong = (error: ApiError | null, { name }: Field): string | null =>
  error?.details.find(({ path }) => path.split('.')[0] === name)?.message ?? null;
const toLines = (text: unknown): string[] =>
  String(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
const TITLES = { list: 'export.title', user: 'export.user', store: 'export.store' } as const;

export default function ExportDialog({ what, close }: ExportProps) {
  const { t } = useLocale();
  useReturnFocus();
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('csv');
  const [values, setValues] = useState<Values>({});
  const start = useWrite<{ export: Row }>();
  const cancel = useWrite<{ export: Row }>();
  const id = start.data ? textOf(start.data.export, 'id') : '';
  const [isOver, setOver] = useState(false);
  const read = useRead<{ export: Row }>(`/v0/exports/${id}`, {
    enabled: id !== '',
    everyMs: isOver ? false : LOOK_MS,
  });
  const shown = id === '' ? undefined : (read.data?.export ?? start.data?.export);
  const isBeingMade = shown !== undefined && isUnderWay(shown);
  if (shown && !isBeingMade !== isOver) setOver(!isBeingMade);
  const error = start.error ?? cancel.error ?? read.error;
  const isOfField = OF_STORE.some((field) => sayWrong(start.error, field) !== null);
  return (
    <Dialog onClose={close} title={t(TITLES[what.kind])}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!start.isPending && !isBeingMade)
            start.mutate({
              method: 'POST',
              path: '/v0/exports/create',
              body: toBody(what, { format, values }),
            });
        }}
      >
        <Extent what={what} />
        <ErrorNotice text={isOfField ? null : error?.message} />
        {shown ? <Progress shown={shown} /> : null}
        {!shown && what.kind === 'list' ? (
          <FormatChoice format={format} choose={(next) => setFormat(next)} />
        ) : null}
        {!shown && what.kind === 'store' ? (
          <StoreFields values={values} fill={setValues} error={start.error} />
        ) : null}
        <div className="dialog-buttons">
          {isBeingMade ? (
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

function toBody(what: What, asked: { format: (typeof FORMATS)[number]; values: Values }) {
  if (what.kind === 'user') return { kind: what.kind, userId: what.userId };
  if (what.kind === 'store') {
    const { withSecrets, recipients } = asked.values;
    const lines = toLines(recipients);
    return {
      kind: what.kind,
      ...(withSecrets === true ? { withSecrets } : {}),
      ...(lines.length > 0 ? { recipients: lines } : {}),
    };
  }
  const { format } = asked;
  const { kind, resource, query, ids } = what;
  return { kind, resource, query, format, ...(ids.length > 0 ? { ids } : {}) };
}

function Extent({ what }: { what: What }) {
  const { t } = useLocale();
  if (what.kind === 'user') return <p>{t('export.userText', { name: what.name })}</p>;
  if (what.kind === 'store') return <p>{t('export.storeText')}</p>;
  const count = what.ids.length;
  return (
    <>
      <p>{count > 0 ? t('export.selected', { count }) : t('export.all')}</p>
      <p className="soft">{t('export.utc')}</p>
    </>
  );
}

function StoreFields(props: { values: Values; fill: (values: Values) => void; error: ApiError | null }) {
  const { values, fill, error } = props;
  return OF_STORE.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      value={values[field.name]}
      error={sayWrong(error, field)}
      change={(value) => fill({ ...values, [field.name]: value })}
    />
  ));
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
      {isUnderWay(shown) ? <p className="soft">{t('export.kept', { list: t('list.exports') })}</p> : null}
      {status === 'canceled' ? <p>{t('export.stopped')}</p> : null}
      {total === null ? null : <p>{t('export.rows', { rows: number(rows), total: number(total) })}</p>}
    </div>
  );
}
