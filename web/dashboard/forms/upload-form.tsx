import { type FormEvent, useState } from 'react';
import { type Row, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { CopyButton } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';

/** A file for downloads or pictures. */
export function UploadForm({ close }: { close: () => void }) {
  const { t } = useLocale();
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);
  const write = useWrite<{ file: Row }>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!file) return setError(t('form.missing'));
    write.mutate(
      { method: 'POST', path: '/v0/files/upload', body: file },
      { onError: (one) => setError(one.message) },
    );
  };
  const made = write.data?.file;
  if (made) {
    return (
      <div className="stack">
        <p>{t('file.done', { name: textOf(made, 'fileName') || textOf(made, 'name') })}</p>
        <CopyButton text={textOf(made, 'id')} label={t('copy.id')} />
        <button type="button" className="main-button" onClick={close}>
          {t('done')}
        </button>
      </div>
    );
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="text-field">
        <label htmlFor="upload">{t('file.label')}</label>
        <input
          id="upload"
          type="file"
          aria-invalid={error ? true : undefined}
          onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
        />
        {error ? <p className="field-error">{error}</p> : null}
      </div>
      <button type="submit" className="main-button" aria-busy={write.isPending}>
        {t('file.upload')}
      </button>
    </form>
  );
}
