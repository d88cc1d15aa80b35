import { type FormEvent, useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { useTools } from './tools.ts';

const NOTE_MAX = 2_000;

/** All that happened to an object, newest last, as a ledger of days; and a line to add to it. */
export function Timeline({ object, id }: { object: string; id: string }) {
  const tools = useTools();
  const { tName } = tools.locale;
  const read = useRead<{ entries: Row[] }>(`/v0/timeline/${object}/${id}`, { query: 'take=100' });
  if (read.isError && !read.data) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Waiting />;
  return (
    <>
      <ol className="timeline">
        {read.data.entries.map((entry) => (
          <li key={`${textOf(entry, 'kind')} ${textOf(entry, 'id')}`} data-kind={textOf(entry, 'kind')}>
            <Time ms={numberOf(entry, 'at') ?? numberOf(entry, 'createdAt')} tools={tools} />
            <span className="timeline-kind">{tName('timeline.', textOf(entry, 'kind'))}</span>
            <span className="timeline-text">{describe(entry, tName)}</span>
            {textOf(entry, 'actor') ? <span className="soft code-text">{textOf(entry, 'actor')}</span> : null}
          </li>
        ))}
      </ol>
      <NoteForm object={object} id={id} />
    </>
  );
}

function describe(entry: Row, tName: (prefix: string, name: string) => string): string {
  const data = (entry.data ?? entry.details ?? entry) as Row;
  const text =
    textOf(entry, 'title') || textOf(data, 'text') || textOf(data, 'subject') || textOf(data, 'operation');
  if (text !== '') return text;
  const type = textOf(data, 'type');
  const status = textOf(data, 'status');
  return [type, status === '' ? '' : tName('status.', status)].filter(Boolean).join(' · ');
}

function NoteForm({ object, id }: { object: string; id: string }) {
  const { t } = useLocale();
  const [text, setText] = useState('');
  const write = useWrite();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    // The path names the objects, the note the one that it is of.
    const body = { object: object.replace(/s$/, ''), objectId: id, text };
    write.mutate({ method: 'POST', path: '/v0/notes/create', body }, { onSuccess: () => setText('') });
  };
  return (
    <form className="note-form" onSubmit={submit}>
      <label htmlFor="note">{t('note.label')}</label>
      <textarea
        id="note"
        rows={2}
        maxLength={NOTE_MAX}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {write.error ? <p className="field-error">{write.error.message}</p> : null}
      <button type="submit" className="plain-button" aria-busy={write.isPending}>
        {t('note.add')}
      </button>
    </form>
  );
}
