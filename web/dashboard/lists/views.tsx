/** Filters, columns and order under a name, of one list alone. */
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import type { ApiError } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { textOf } from '../api/objects.ts';
import { useRead, useWrite, type Write } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { TextField } from '../session/entrance.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';
import { showUndo } from '../ui/undo-toast.tsx';
import { toFilterQuery } from './query.ts';
import type { ListDeclaration } from './types.ts';

interface ViewsProps {
  declaration: ListDeclaration;
  search: string;
  go: (search: string) => void;
}

const VIEW_MS = 60_000;
/** More than these nobody looks through in a menu. */
const VIEWS_MAX = '100';

function toMadeAgain({ resource, name, query, columns, shared }: Row): Write {
  const body = { resource, name, query, columns, shared };
  return { method: 'POST', path: '/v0/views/create', body };
}

export function Views({ declaration, search, go }: ViewsProps) {
  const locale = useLocale();
  const { t } = locale;
  const { may, isWritable } = useStore();
  const [isSaving, setSaving] = useState(false);
  const query = new URLSearchParams({ resource: declaration.resource, take: VIEWS_MAX }).toString();
  const read = useRead<{ views: Row[] }>('/v0/views/list', { query, staleMs: VIEW_MS });
  const views = read.data?.views ?? [];
  const write = useWrite();
  const again = useWrite();
  const open = (view: Row) => {
    const next = new URLSearchParams(textOf(view, 'query'));
    const columns = Array.isArray(view.columns) ? view.columns.map(String) : [];
    if (columns.length > 0) next.set('columns', columns.join());
    go(next.toString());
  };
  const remove = (view: Row) =>
    write.mutate(
      { method: 'DELETE', path: `/v0/views/${textOf(view, 'id')}` },
      {
        onSuccess: () => {
          const done = t('undo.done', { name: textOf(view, 'name') });
          showUndo(done, () => again.mutateAsync(toMadeAgain(view)), locale);
        },
        onError: (error) => notifications.show({ color: 'danger', message: error.message }),
      },
    );
  // A shared one is everybody's, and goes by the word of whoever may share.
  const mayChange = (view: Row) =>
    view.shared === true ? may('settings', 'write') : view.isOwn === true && isWritable;
  const removable = views.filter(mayChange);
  return (
    <>
      {views.length > 0 ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className="quiet-button">
              {t('view.list')}
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {views.map((view) => (
              <Menu.Item key={textOf(view, 'id')} onClick={() => open(view)}>
                {textOf(view, 'name')}
              </Menu.Item>
            ))}
            {removable.length > 0 ? <Menu.Divider /> : null}
            {removable.map((view) => (
              <Menu.Item key={textOf(view, 'id')} data-danger onClick={() => remove(view)}>
                {t('view.delete', { name: textOf(view, 'name') })}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {isWritable ? (
        <button type="button" className="quiet-button" onClick={() => setSaving(true)}>
          {t('view.save')}
        </button>
      ) : null}
      <Dialog opened={isSaving} onClose={() => setSaving(false)} title={t('view.save')} size="24rem">
        <SaveForm
          declaration={declaration}
          search={search}
          views={views}
          mayChange={mayChange}
          lookAgain={() => void read.refetch()}
          done={() => setSaving(false)}
        />
      </Dialog>
    </>
  );
}

interface SaveFormProps extends Pick<ViewsProps, 'declaration' | 'search'> {
  views: readonly Row[];
  mayChange: (view: Row) => boolean;
  lookAgain: () => void;
  done: () => void;
}

/** What is wrong with the name; of one that is taken the whole sentence. */
const toProblem = (error: ApiError | null) =>
  (error?.code === 'view_taken' ? null : error?.details[0]?.message) ?? error?.message ?? null;

/** Two of one name cannot be told apart in the menu: the second takes the place of the first, where that may be changed. */
function SaveForm(props: SaveFormProps) {
  const { t } = useLocale();
  const { may } = useStore();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const write = useWrite();
  const wanted = name.trim();
  const same = props.views.filter((view) => wanted !== '' && textOf(view, 'name') === wanted);
  const replaced = same.find(props.mayChange);
  const isTaken = same.length > 0 && replaced === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRefused(isTaken);
    if (isTaken) return;
    const columns = new URLSearchParams(props.search).get('columns')?.split(',') ?? [];
    const query = toFilterQuery(props.search);
    const { resource } = props.declaration;
    const shared = isShared || replaced?.shared === true;
    const body = { name, query, columns, shared };
    write.mutate(
      replaced
        ? { method: 'PATCH', path: `/v0/views/${textOf(replaced, 'id')}/update`, body }
        : { method: 'POST', path: '/v0/views/create', body: { ...body, resource } },
      // Refused for a name that another page has given meanwhile: with that one known, it can be replaced.
      { onSuccess: props.done, onError: ({ code }) => code === 'view_taken' && props.lookAgain() },
    );
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField
        label={t('field.name')}
        value={name}
        change={setName}
        error={isRefused && isTaken ? t('view.taken') : toProblem(write.error)}
      />
      {may('settings', 'write') ? (
        <label className="check-row">
          <input type="checkbox" checked={isShared} onChange={() => setShared(!isShared)} />
          {t('view.shared')}
        </label>
      ) : null}
      <p className="soft" role="status">
        {replaced ? t('view.replaces') : null}
      </p>
      <button type="submit" className="main-button" aria-busy={write.isPending}>
        {t(replaced ? 'view.replace' : 'view.save')}
      </button>
    </form>
  );
}
