/** What was tried in test mode is taken over to live: the difference is shown first. */
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, call } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { rowOf } from '../api/objects.ts';
import { toQueryKey, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { DialogFrame } from '../dialogs/frame.tsx';
import { labelOf } from '../forms/field-input.tsx';
import type { Field } from '../forms/types.ts';
import { useCurrency } from '../forms/use-currency.ts';
import { writeValue } from '../forms/written.ts';
import { useLocale } from '../ui/locale.tsx';
import { BLOCKS } from './blocks.ts';
import { findDifferences, toChange } from './differences.ts';

export function CopyFromTest({ live }: { live: Row }) {
  const { t } = useLocale();
  const { isTest, may } = useStore();
  const [isOpen, setOpen] = useState(false);
  if (isTest || !may('settings', 'write')) return null;
  return (
    <>
      <button type="button" className="plain-button" onClick={() => setOpen(true)}>
        {t('copySettings.title')}
      </button>
      {isOpen ? <Copy live={live} close={() => setOpen(false)} /> : null}
    </>
  );
}

/** A setting as its page asks for it; what no page asks for is written as text. */
const fieldOf = (path: string): Field =>
  Object.values(BLOCKS)
    .flat()
    .find(({ name }) => name === path) ?? { name: path, kind: 'text' };

function Copy({ live, close }: { live: Row; close: () => void }) {
  const locale = useLocale();
  const { t } = locale;
  const currency = useCurrency();
  const { store } = useStore();
  const write = useWrite();
  const client = useQueryClient();
  const test = { workspaceId: store.workspaceId, mode: 'test' } as const;
  const read = useQuery<Row, ApiError>({
    queryKey: toQueryKey(test, '/v0/settings'),
    queryFn: ({ signal }) => call({ store: test, path: '/v0/settings', signal }),
    staleTime: 0,
  });
  const settings = rowOf(read.data, 'settings');
  const differences = settings ? findDifferences(live, settings) : [];
  const submit = () =>
    write.mutate(
      {
        method: 'PATCH',
        path: '/v0/settings/update',
        body: toChange(differences),
        ifMatch: `"${String(live.version)}"`,
      },
      {
        onSuccess: () => {
          notifications.show({ message: t('form.done') });
          close();
        },
        // What somebody else has changed meanwhile stands in the difference before it is tried again.
        onError: () => void client.invalidateQueries({ queryKey: toQueryKey(store, '/v0/settings') }),
      },
    );
  const show = (field: Field, value: unknown) => writeValue(field, value, { locale, currency }) || '–';
  return (
    <DialogFrame
      title={t('copySettings.title')}
      text={t(differences.length > 0 || !settings ? 'copySettings.text' : 'copySettings.same')}
      confirm={t('copySettings.confirm')}
      isBusy={write.isPending}
      isOff={differences.length === 0}
      error={write.error ?? read.error}
      close={close}
      submit={submit}
    >
      {differences.length > 0 ? (
        <table className="difference-table" aria-label={t('copySettings.difference')}>
          <thead>
            <tr>
              <th scope="col">{t('copySettings.setting')}</th>
              <th scope="col">{t('copySettings.live')}</th>
              <th scope="col">{t('copySettings.test')}</th>
            </tr>
          </thead>
          <tbody>
            {differences
              .map((difference) => ({ ...difference, field: fieldOf(difference.path) }))
              .map(({ path, field, before, after }) => (
                <tr key={path}>
                  <th scope="row">{labelOf(field, locale)}</th>
                  <td>{show(field, before)}</td>
                  <td>{show(field, after)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      ) : null}
    </DialogFrame>
  );
}
