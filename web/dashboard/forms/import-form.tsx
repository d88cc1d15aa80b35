import { type FormEvent, useId, useState } from 'react';
import { useLocation } from 'wouter';
import { type Row, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';

/** A file of lines; it is planned at once, and nothing of it is brought in. */
export function ImportForm({ close }: { close: () => void }) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [isMissing, setMissing] = useState(false);
  const write = useWrite<{ import: Row }>();
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (write.isPending) return;
    if (!file) return setMissing(true);
    const { name, lastModified } = file;
    const body = new File([file], name, { type: 'application/jsonl', lastModified });
    write.mutate(
      { method: 'POST', path: '/v0/imports/create', body },
      {
        onSuccess: (data) => {
          close();
          navigate(`/settings/imports/${textOf(data.import, 'id')}`);
        },
      },
    );
  };
  const details = write.error?.details ?? [];
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{t('import.uploadText')}</p>
      <div className="text-field">
        <label htmlFor={id}>{t('import.file')}</label>
        <input
          id={id}
          type="file"
          accept=".jsonl,.ndjson,.json,application/jsonl"
          aria-invalid={isMissing || write.isError ? true : undefined}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            setFile(event.currentTarget.files?.[0] ?? null);
            setMissing(false);
            write.reset();
          }}
        />
        {isMissing ? <p className="field-error">{t('form.missing')}</p> : null}
        <p id={`${id}-hint`} className="field-hint">
          {t('import.fileHint')}
        </p>
      </div>
      <ErrorNotice
        text={
          write.error
            ? details.map(({ path, message }) => `${path} ${message}`).join('; ') || write.error.message
            : null
        }
      />
      {write.isPending ? <p role="status">{t('import.uploading')}</p> : null}
      <button type="submit" className="main-button" aria-busy={write.isPending}>
        {t('import.uploadButton')}
      </button>
    </form>
  );
}
