import { Menu, useMantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { call } from '../api/client.ts';
import { useSessionChange, useSignOut } from '../api/use-session.ts';
import { useLocale } from '../ui/locale.tsx';
import { LANGUAGES } from '../ui/texts.ts';
import { useStore } from './store.tsx';
import { useFirstPress } from './use-first-press.ts';

const LANGUAGE_NAMES: Record<string, string> = { en: 'English', de: 'Deutsch' };
const SCHEMES = ['auto', 'light', 'dark'] as const;

export default function AccountMenu({ target, openKeys }: { target: ReactElement; openKeys: () => void }) {
  const { t, language, setLanguage } = useLocale();
  const { session } = useStore();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { ask } = useSessionChange();
  const lock = async () => {
    await call({ method: 'DELETE', store: null, path: '/v0/session/reauthenticate' });
    await ask();
    notifications.show({ message: t('account.locked') });
  };
  const signOut = useSignOut();
  const chooseLanguage = async (one: string) => {
    await setLanguage(one);
    await call({ method: 'PATCH', store: null, path: '/v0/account/update', body: { language: one } }).catch(
      () => {},
    );
  };
  const { account } = session;
  const first = useFirstPress(target);
  return (
    <Menu position="bottom-end" {...first.menu}>
      <Menu.Target>{first.target}</Menu.Target>
      <Menu.Dropdown>
        <div className="menu-head">
          <strong>{account.name ?? account.email}</strong>
          {account.name ? <span className="soft">{account.email}</span> : null}
        </div>
        <Menu.Item component={Link} href="/account/profile">
          {t('account.profile')}
        </Menu.Item>
        <Menu.Item component={Link} href="/account/security">
          {t('account.security')}
        </Menu.Item>
        <Menu.Item component={Link} href="/account/sessions">
          {t('account.sessions')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('account.language')}</Menu.Label>
        {LANGUAGES.map((one) => (
          <Menu.Item
            key={one}
            onClick={() => void chooseLanguage(one)}
            rightSection={one === language ? '✓' : null}
            lang={one}
          >
            {LANGUAGE_NAMES[one]}
          </Menu.Item>
        ))}
        <Menu.Label>{t('account.theme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={scheme === colorScheme ? '✓' : null}
          >
            {t(`theme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={openKeys}>{t('keys.title')}</Menu.Item>
        <Menu.Item onClick={() => void lock()}>{t('account.lock')}</Menu.Item>
        {account.installationAdmin ? (
          <Menu.Item component={Link} href="/installation">
            {t('installation.title')}
          </Menu.Item>
        ) : null}
        <Menu.Item onClick={() => void signOut()}>{t('account.signOut')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
