import { Menu } from '@mantine/core';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { areKeysOff, isTaken } from '../app/use-keys.ts';
import { useTools } from '../details/tools.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { useLocale } from '../ui/locale.tsx';
import { FilterForm } from './filter-form.tsx';
import { currencyOf, describeFilter } from './filter-values.ts';
import { valuesOf, withFilter } from './query.ts';
import type { Filter, ListDeclaration } from './types.ts';

interface BarProps {
  declaration: ListDeclaration;
  search: string;
  title: string;
  go: (search: string) => void;
}

export function FilterBar({ declaration, search, title, go }: BarProps) {
  const locale = useLocale();
  const { t } = locale;
  const tools = useTools();
  const { zone } = tools;
  const currency = currencyOf(search, tools.currency);
  const [edited, setEdited] = useState<Filter | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const query = new URLSearchParams(search);
  const active = declaration.filters.filter(({ parameter }) => query.has(parameter));
  const apply = (filter: Filter, values: string[]) => {
    setEdited(null);
    go(withFilter(search, filter.parameter, values));
  };
  // The dialog gives the focus back to what had it: by then the menu has gone, and its button has not.
  const choose = (filter: Filter) => {
    add.current?.focus();
    setEdited(filter);
  };
  return (
    <div className="filter-bar">
      {declaration.search ? (
        <SearchField parameter={declaration.search} title={title} search={search} go={go} />
      ) : null}
      {active.map((filter) => (
        <span key={filter.parameter} className="filter-chip">
          <button type="button" onClick={() => setEdited(filter)}>
            {t(filter.label)}: {describeFilter(filter, valuesOf(search, filter), { locale, zone, currency })}
          </button>
          <button
            type="button"
            className="chip-remove"
            aria-label={t('filter.remove', { name: t(filter.label) })}
            onClick={() => go(withFilter(search, filter.parameter, []))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {declaration.filters.length > 0 ? (
        <Menu position="bottom-start">
          <Menu.Target>
            <button ref={add} type="button" className="quiet-button">
              <Icon name="plus" />
              {t('filter.add')}
            </button>
          </Menu.Target>
          <Menu.Dropdown className="tall-menu">
            {declaration.filters.map((filter) => (
              <Menu.Item key={filter.parameter} onClick={() => choose(filter)}>
                {t(filter.label)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {active.length > 1 ? (
        <button type="button" className="link-button" onClick={() => go('')}>
          {t('list.clear')}
        </button>
      ) : null}
      <Dialog
        opened={edited !== null}
        onClose={() => setEdited(null)}
        title={edited ? t(edited.label) : ''}
        size="24rem"
        leavesFreely
      >
        {edited ? (
          <FilterForm
            filter={edited}
            values={valuesOf(search, edited)}
            currency={currency}
            apply={(values) => apply(edited, values)}
          />
        ) : null}
      </Dialog>
    </div>
  );
}

function SearchField(props: {
  parameter: string;
  title: string;
  search: string;
  go: (search: string) => void;
}) {
  const { t } = useLocale();
  const { parameter, search, go } = props;
  const current = new URLSearchParams(search).get(parameter) ?? '';
  const [text, setText] = useState(current);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(current), [current]);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || areKeysOff() || isTaken(event)) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go(withFilter(search, parameter, [text.trim()]));
  };
  return (
    <search>
      <form onSubmit={submit} className="list-search">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          value={text}
          placeholder={t('list.search', { list: props.title })}
          aria-label={t('list.search', { list: props.title })}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
