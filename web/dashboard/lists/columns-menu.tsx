import { Menu } from '@mantine/core';
import { useLocale } from '../ui/locale.tsx';
import type { ListDeclaration } from './types.ts';

/** Which columns are shown is a part of the address, so that a link shows the same. */
export function ColumnsMenu(props: {
  declaration: ListDeclaration;
  search: string;
  go: (search: string) => void;
}) {
  const { t } = useLocale();
  const { declaration, search, go } = props;
  const wanted = new URLSearchParams(search).get('columns');
  const standard = declaration.columns.filter(({ isExtra }) => !isExtra).map(({ id }) => id);
  const shown = wanted === null ? standard : wanted.split(',');
  const toggle = (id: string) => {
    const next = declaration.columns
      .map((column) => column.id)
      .filter((one) => (one === id ? !shown.includes(id) : shown.includes(one)));
    const query = new URLSearchParams(search);
    if (next.length === 0 || next.join() === standard.join()) query.delete('columns');
    else query.set('columns', next.join());
    go(query.toString());
  };
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <button type="button" className="quiet-button">
          {t('list.columns')}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {declaration.columns.map(({ id, label }) => (
          <Menu.Item
            key={id}
            role="menuitemcheckbox"
            aria-checked={shown.includes(id)}
            rightSection={shown.includes(id) ? '✓' : null}
            onClick={() => toggle(id)}
          >
            {t(label)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
