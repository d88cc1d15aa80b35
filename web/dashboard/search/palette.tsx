/** Search over places, actions and objects: what is typed decides, Enter opens. */
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { listOpen } from '../app/places.ts';
import { mayUse, useStore } from '../app/store.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { type Locale, useLocale } from '../ui/locale.tsx';
import { usePaused } from '../ui/use-paused.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { ACTIONS } from './actions.ts';
import { isWholeNumber, matchPlaces } from './match.ts';
import { toSubtitle } from './subtitle.ts';

interface Hit {
  id: string;
  title: string;
  subtitle: string;
  /** Where it leads; of an action the form that it opens. */
  path: string;
  form?: string;
  group: string;
}

const PAUSE_MS = 120;

/** Of whoever is signed in, whatever the store. */
const OWN_PLACES = [
  { path: 'account/profile', label: 'account.profile' },
  { path: 'account/security', label: 'account.security' },
  { path: 'account/sessions', label: 'account.sessions' },
] as const;
const ADMINS_PLACES = [{ path: 'installation', label: 'installation.title' }] as const;

export default function Palette({
  close,
  begin,
}: {
  close: () => void;
  /** Opens a form by its name, under the words that it was found by. */
  begin: (form: string, label: string) => void;
}) {
  const locale = useLocale();
  const { t } = locale;
  const { isTest, may, session } = useStore();
  useReturnFocus();
  const isAdmin = session.account.installationAdmin;
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  // Enter was pressed before the answer was there.
  const [isAwaited, setAwaited] = useState(false);
  const asked = usePaused(text.trim(), PAUSE_MS);
  const places = useMemo(
    () =>
      [
        ...listOpen({ isTest, may }).flatMap((section) => section.places),
        ...OWN_PLACES,
        ...(isAdmin ? ADMINS_PLACES : []),
      ].map(
        ({ path, label }): Hit => ({
          id: `place ${path}`,
          title: t(label),
          subtitle: '',
          path: `/${path}`,
          group: t('search.places'),
        }),
      ),
    [isTest, may, isAdmin, t],
  );
  const actions = useMemo(
    () =>
      ACTIONS.filter(({ form, area, onlyTest }) => mayUse({ may }, form, area) && (isTest || !onlyTest)).map(
        ({ form, label }): Hit => ({
          ...{ id: `form ${form}`, title: t(label), subtitle: '', path: '', form },
          group: t('search.actions'),
        }),
      ),
    [isTest, may, t],
  );
  const { objects, isPending } = useObjects(asked, locale);
  const isOld = isPending || asked !== text.trim();
  const hits = [...(isOld ? [] : objects), ...matchPlaces([...places, ...actions], text)];
  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    if (hit.form === undefined) navigate(hit.path);
    else begin(hit.form, hit.title);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is what was awaited.
  useEffect(() => {
    if (!isAwaited || isOld) return;
    setAwaited(false);
    open(hits[0]);
  }, [isAwaited, isOld]);
  useEffect(() => document.getElementById(`palette-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setAt((before) => (hits.length === 0 ? 0 : (before + by + hits.length) % hits.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // A number that was pasted whole opens even before the answer to it is there.
      const number = text.trim().replace(/^#/, '');
      if ((isOld || objects.length === 0) && isWholeNumber(number) && may('orders')) {
        close();
        navigate(`/orders/${number}`);
      } else if (isOld && hits.length === 0) setAwaited(true);
      else open(hits[at]);
    }
  };
  return (
    <Dialog onClose={close} title={t('search.title')} size="40rem" yOffset="10vh" centered={false}>
      <input
        autoFocus
        className="palette-input"
        role="combobox"
        aria-label={t('search.title')}
        aria-expanded="true"
        aria-controls="palette-results"
        aria-activedescendant={hits[at] ? `palette-${at}` : undefined}
        aria-autocomplete="list"
        placeholder={t('search.placeholder')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
          setAwaited(false);
        }}
        onKeyDown={press}
      />
      <div id="palette-results" role="listbox" aria-label={t('search.results')} className="palette-results">
        {hits.map((hit, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above takes the keys, as a combobox does.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box above.
          <div
            key={`${hit.group} ${hit.id}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            className="palette-hit"
            onClick={() => open(hit)}
            onMouseEnter={() => setAt(index)}
          >
            <span className="palette-title">{hit.title}</span>
            {hit.subtitle ? <span className="soft">{hit.subtitle}</span> : null}
            <span className="soft push">{hit.group}</span>
          </div>
        ))}
      </div>
      {hits.length === 0 ? (
        <p className="soft" role="status">
          {t(isOld ? 'waiting' : 'search.none')}
        </p>
      ) : null}
    </Dialog>
  );
}

function useObjects(text: string, locale: Locale): { objects: Hit[]; isPending: boolean } {
  const { base } = useStore();
  const query = new URLSearchParams({ q: text, take: '20' }).toString();
  const read = useRead<{ groups: Row[] }>('/v0/search', {
    query,
    enabled: text.length > 1,
  });
  if (text.length < 2) return { objects: [], isPending: false };
  const objects = (read.data?.groups ?? []).flatMap((group) =>
    rowsOf(group, 'hits').map((hit) => ({
      id: textOf(hit, 'id'),
      title: textOf(hit, 'title'),
      subtitle: toSubtitle({ object: textOf(group, 'object'), subtitle: textOf(hit, 'subtitle') }, locale),
      // An address of the dashboard, whole or below the store.
      path: textOf(hit, 'path')
        .replace(/^\/dashboard/, '')
        .replace(base, '')
        .replace(/^\/*/, '/'),
      group: locale.tName('object.', textOf(group, 'object')),
    })),
  );
  return { objects, isPending: read.isPending };
}
