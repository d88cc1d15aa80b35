/** A row's detail beside its list, for a look in passing. */
import { Drawer } from '@mantine/core';
import { Link } from 'wouter';
import Details from '../details/details.tsx';
import { findDetail } from '../details/paths.ts';
import { Within } from '../details/within.ts';
import { useBeforeLeaving } from '../ui/before-leaving.tsx';
import { useLocale } from '../ui/locale.tsx';
import { StartHere, startOf } from '../ui/start-here.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';

export default function RowDrawer({ href, name, close }: { href: string; name: string; close: () => void }) {
  const { t } = useLocale();
  useReturnFocus();
  const { leave, wrap } = useBeforeLeaving(close);
  const found = findDetail(href);
  if (!found) return null;
  return (
    <Drawer
      opened
      onClose={leave}
      position="right"
      size="44rem"
      title={startOf(name)}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <StartHere />
      {wrap(
        <>
          <p>
            <Link href={href}>{t('drawer.open')}</Link>
          </p>
          <Within value={true}>
            <Details kind={found.kind} id={found.id} />
          </Within>
        </>,
      )}
    </Drawer>
  );
}
