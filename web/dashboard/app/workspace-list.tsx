import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useLocale } from '../ui/locale.tsx';
import { useStore } from './store.tsx';
import { useFirstPress } from './use-first-press.ts';

/** The workspaces that the account is a member of. */
export default function WorkspaceList({ target }: { target: ReactElement }) {
  const { t } = useLocale();
  const { workspace, session, store } = useStore();
  const first = useFirstPress(target);
  return (
    <Menu position="bottom-start" {...first.menu}>
      <Menu.Target>{first.target}</Menu.Target>
      <Menu.Dropdown>
        {session.workspaces.map(({ id, name }) => (
          <Menu.Item
            key={id}
            component={Link}
            href={`~/dashboard/${id}/${store.mode}`}
            aria-current={id === workspace.id}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} href="~/dashboard/new-workspace">
          {t('workspace.create')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
