import { type FormEvent, useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { Actor } from '../app/actor.tsx';
import { useStore } from '../app/store.tsx';
import { Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { showUndo } from '../ui/undo-toast.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { describeEntry } from './describe-entry.ts';
import { useTools } from './tools.ts';

const NOTE_MAX = 2_000;

/** All that happened to an object, newest first, as a ledger of days; and a line to add to it. */
export function Timeline({ object, id }: { object: string; id: string }) {
  const { t } = useLocale();
  const { isWritable } = useStore();
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const isReady = useRoom('audit');
  if (!isReady) return <Waiting />;
  return (
    <>
      <ol className="timeline">
        {cursors.map((cursor, index) => (
          <Entries
            key={cursor}
            object={object}
            id={id}
            cursor={cursor}
            more={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
            moreText={t('list.more')}
          />
        ))}
      </ol>
      {isWritable ? <NoteForm object={object} id={id} /> : null}
    </>
  );
}

function Entries(props: {
  object: string;
  id: string;
  cursor: string;
  more: ((cursor: string) => void) | null;
  moreText: string;
}) {
  const tools = useTools();
  const { more } = props;
  const query = props.cursor === '' ? 'take=100' : `take=100&cursor=${encodeURIComponent(props.cursor)}`;
  const read = useRead<{ entries: Row[]; cursor: string | null }>(
    `/v0/timeline/${props.object}/${props.id}`,
    {
      query,
    },
  );
  if (read.isError && !read.data)
    return (
      <li>
        <Failure error={read.error} retry={() => void read.refetch()} />
      </li>
    );
  if (!read.data)
    return (
      <li>
        <Waiting />
      </li>
    );
  const { entries, cursor } = read.data;
  return (
    <>
      {entries.map((entry) => (
        <li key={`${textOf(entry, 'type')} ${textOf(entry, 'id')}`} data-kind={textOf(entry, 'type')}>
          <Time ms={numberOf(entry, 'at')} tools={tools} />
          <span className="timeline-kind">{tools.locale.tName('timeline.', textOf(entry, 'type'))}</span>
          <span className="timeline-text">{describeEntry(entry, tools.locale)}</span>
          {textOf(entry, 'actor') ? (
            <span className="soft">
              <Actor actor={textOf(entry, 'actor')} />
            </span>
          ) : null}
          {textOf(entry, 'type') === 'note' ? (
            <DeleteNote entry={entry} object={props.object} id={props.id} />
          ) : null}
        </li>
      ))}
      {more && cursor ? (
        <li>
          <button type="button" className="link-button" onClick={() => more(cursor)}>
            {props.moreText}
          </button>
        </li>
      ) : null}
    </>
  );
}

// The path names the objects, the note the one that it is of.
const toNote = (object: string, objectId: string, text: string) => ({
  object: object.replace(/s$/, ''),
  objectId,
  text,
});

/** One's own, or of an object that one may change. */
function DeleteNote({ entry, object, id }: { entry: Row; object: string; id: string }) {
  const locale = useLocale();
  const { session, may, isWritable } = useStore();
  const write = useWrite();
  const again = useWrite();
  const text = textOf(entry, 'title');
  const isOwn = textOf(entry, 'actor') === `account:${session.account.id}` && isWritable;
  if (!isOwn && !may(object, 'write')) return null;
  const remake = () =>
    again.mutateAsync({ method: 'POST', path: '/v0/notes/create', body: toNote(object, id, text) });
  const press = () =>
    write.mutate(
      { method: 'DELETE', path: `/v0/notes/${encodeURIComponent(textOf(entry, 'id'))}` },
      { onSuccess: () => showUndo(locale.t('undo.done', { name: locale.t('note.one') }), remake, locale) },
    );
  return (
    <>
      <button type="button" className="link-button" disabled={write.isPending} onClick={press}>
        {locale.t('note.delete')}
      </button>
      {write.error ? <span className="field-error">{write.error.message}</span> : null}
    </>
  );
}

function NoteForm({ object, id }: { object: string; id: string }) {
  const { t } = useLocale();
  const [text, setText] = useState('');
  const write = useWrite();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    const body = toNote(object, id, text);
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
