/** What every screen of a store stands in: header, navigation, and the bar that says which store it is. */
import { Switch } from '@mantine/core';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../ui/icon.tsx';
import { later, laterWithTexts } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useHeldFocus } from '../ui/use-held-focus.ts';
import { setTitlePrefix } from '../ui/use-title.ts';
import { Banners, TestBar } from './banners.tsx';
import { Navigation } from './navigation.tsx';
import { placeInOther } from './places.ts';
import { mayDo, useStore } from './store.tsx';
import { useChanges } from './use-changes.ts';
import { useKeys } from './use-keys.ts';
import { useWayBack } from './use-way-back.ts';

const Palette = laterWithTexts('work', () => import('../search/palette.tsx'));
const AccountMenu = later(() => import('./account-menu.tsx'));
const WorkspaceList = later(() => import('./workspace-list.tsx'));
const KeyList = later(() => import('../search/key-list.tsx'));
const FormDialog = laterWithTexts('work', () => import('../forms/form-dialog.tsx'));

export function Frame({ children }: { children: ReactNode }) {
  const { t } = useLocale();
  const { isTest } = useStore();
  const [path] = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [form, setForm] = useState<{ form: string; label: string } | null>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useHeldFocus(main);
  setTitlePrefix(isTest ? `[${t('test.short')}] ` : '');
  useChanges();
  useKeys({ openPalette: () => setOpen('palette'), openKeys: () => setOpen('keys') });
  const wayBack = useWayBack(path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is what closes and moves on.
  useEffect(() => {
    setMenuOpen(false);
    if (isFirst.current) isFirst.current = false;
    else main.current?.focus({ preventScroll: false });
    return wayBack.follow();
  }, [path]);
  return (
    <div className="frame" data-menu={isMenuOpen}>
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      {isTest ? <TestBar /> : null}
      <header className="frame-header">
        <button
          type="button"
          className="icon-button menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="navigation"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          <Icon name="menu" />
          <span className="sr-only">{t('nav.open')}</span>
        </button>
        <WorkspaceMenu />
        <ModeSwitch />
        <button type="button" className="search-button" onClick={() => setOpen('palette')}>
          <Icon name="search" />
          <span>{t('search.title')}</span>
          <kbd>{t('search.keys')}</kbd>
        </button>
        <AccountButton openKeys={() => setOpen('keys')} />
      </header>
      <Navigation />
      <main id="main" ref={main} tabIndex={-1} className="frame-main">
        <Banners />
        {children}
      </main>
      <Suspense fallback={null}>
        {open === 'palette' ? (
          <Palette close={() => setOpen(null)} begin={(name, label) => setForm({ form: name, label })} />
        ) : null}
        {form ? <FormDialog {...form} close={() => setForm(null)} /> : null}
        {open === 'keys' ? <KeyList close={() => setOpen(null)} /> : null}
      </Suspense>
    </div>
  );
}

/** What opens is loaded with the first press. */
function WorkspaceMenu() {
  const { t } = useLocale();
  const { workspace } = useStore();
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button type="button" className="workspace-button" aria-haspopup="menu" onClick={() => setWanted(true)}>
      <span className="workspace-mark" aria-hidden="true">
        {workspace.name.slice(0, 1).toUpperCase()}
      </span>
      <span className="sr-only">{t('workspace.button')}: </span>
      <span className="workspace-name">{workspace.name}</span>
      <Icon name="down" />
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <WorkspaceList target={button} />
    </Suspense>
  );
}

function AccountButton({ openKeys }: { openKeys: () => void }) {
  const { t } = useLocale();
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className="icon-button account-button"
      aria-haspopup="menu"
      onClick={() => setWanted(true)}
    >
      <Icon name="person" />
      <span className="sr-only">{t('account.title')}</span>
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu target={button} openKeys={openKeys} />
    </Suspense>
  );
}

function ModeSwitch() {
  const { t } = useLocale();
  const { store, isTest, workspace } = useStore();
  const [path, navigate] = useLocation();
  const other = isTest ? 'live' : 'test';
  const mayThere = (area: string) => mayDo(workspace, other, area, 'read');
  const keep = placeInOther(path, { isTest: !isTest, may: mayThere });
  return (
    <Switch
      className="mode-switch"
      label={t('test.mode')}
      checked={isTest}
      onChange={() => navigate(`~/dashboard/${store.workspaceId}/${other}${keep}`)}
    />
  );
}
