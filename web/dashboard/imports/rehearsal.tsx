import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { Part } from '../details/detail.tsx';
import { Nothing } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { PlainTable } from './plain-table.tsx';

/** What was charged while the test clock moved, beside what the source would have charged. */
export function Rehearsal({ rehearsal }: { rehearsal: Row }) {
  const { t, number, day } = useLocale();
  const { zone } = useStore();
  const count = (name: string) => number(numberOf(rehearsal, name) ?? 0);
  const differences = rowsOf(rehearsal, 'differences');
  return (
    <Part id="import-rehearsal" title={t('import.rehearsal')}>
      <p>
        {t('import.rehearsed', {
          date: day(numberOf(rehearsal, 'until') ?? 0, zone),
          subscriptions: count('subscriptions'),
          charged: count('charged'),
          equal: count('equal'),
          waiting: count('waiting'),
        })}
      </p>
      {differences.length === 0 ? <p className="notice">{t('import.noDifference')}</p> : null}
      {differences.length > 0 ? (
        <PlainTable
          label={t('import.differences')}
          rows={differences}
          columns={[
            {
              label: t('column.subscription'),
              draw: (row) => <span className="code-text">{textOf(row, 'ref')}</span>,
            },
            {
              label: t('import.theirs'),
              draw: (row) => <Charge charge={rowOf(row, 'theirs')} currency={textOf(row, 'currency')} />,
            },
            {
              label: t('import.ours'),
              draw: (row) => <Charge charge={rowOf(row, 'ours')} currency={textOf(row, 'currency')} />,
            },
          ]}
          keyOf={(row) => textOf(row, 'ref')}
        />
      ) : null}
    </Part>
  );
}

function Charge({ charge, currency }: { charge: Row | null; currency: string }) {
  const { money, time } = useLocale();
  const { zone } = useStore();
  if (!charge) return <Nothing />;
  const minor = numberOf(charge, 'amount');
  return (
    <span>
      {minor === null ? null : <span className="amount">{money(minor, currency)} </span>}
      <span className="soft">{time(numberOf(charge, 'at') ?? 0, zone)}</span>
    </span>
  );
}
