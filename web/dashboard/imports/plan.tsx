/** What a commit would do: how many of each kind, what is wrong, and what will be charged. */
import { useState } from 'react';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { Part } from '../details/detail.tsx';
import { useSaid } from '../refusals/use-said.ts';
import { useLocale } from '../ui/locale.tsx';
import { type PlainColumn, PlainTable } from './plain-table.tsx';

const OUTCOMES = ['new', 'changed', 'same', 'conflict', 'refused'] as const;

export function Plan({ plan, path }: { plan: Row; path: string }) {
  return (
    <>
      <Counts counts={rowsOf(plan, 'counts')} />
      <Refused plan={plan} path={path} />
      <Warnings plan={plan} />
      <PriceChanges plan={plan} />
      <Charges charges={rowsOf(plan, 'charges')} />
    </>
  );
}

function Counts({ counts }: { counts: readonly Row[] }) {
  const { t, tName, number } = useLocale();
  const columns: PlainColumn<Row>[] = [
    { label: t('column.kind'), draw: (row) => tName('importKind.', textOf(row, 'kind')) },
    ...OUTCOMES.map((outcome) => ({
      label: t(`import.${outcome}`),
      isEnd: true,
      draw: (row: Row) => {
        const count = numberOf(row, outcome) ?? 0;
        return <span className={count === 0 ? 'amount soft' : 'amount'}>{number(count)}</span>;
      },
    })),
  ];
  return (
    <Part id="import-counts" title={t('import.plan')}>
      {counts.length === 0 ? <p className="soft">{t('import.empty')}</p> : null}
      {counts.length > 0 ? (
        <PlainTable
          label={t('import.plan')}
          rows={counts}
          columns={columns}
          keyOf={(row) => textOf(row, 'kind')}
        />
      ) : null}
    </Part>
  );
}

/** Which line it is: its number in the file, and its id there. */
function LineName({ row }: { row: Row }) {
  const { tName } = useLocale();
  const kind = textOf(row, 'kind');
  return (
    <>
      {kind === '' ? null : <>{tName('importKind.', kind)} </>}
      <span className="code-text">{textOf(row, 'ref')}</span>
    </>
  );
}

const ofLine = (label: string, number: (value: number) => string): PlainColumn<Row> => ({
  label,
  draw: (row) => number(numberOf(row, 'line') ?? 0),
});
const keyOfLine = (row: Row, index: number) => `${textOf(row, 'line')} ${textOf(row, 'code')} ${index}`;

/** The API answers a thousand at a time. */
function Refused({ plan, path }: { plan: Row; path: string }) {
  const { t, number } = useLocale();
  const said = useSaid();
  const [after, setAfter] = useState(0);
  const total = numberOf(plan, 'errorCount') ?? 0;
  const read = useRead<Row>(path, { query: `errorsAfter=${after}`, enabled: after > 0, keep: true });
  const later = after > 0 ? rowOf(rowOf(read.data, 'import'), 'plan') : null;
  const rows = rowsOf(later ?? plan, 'errors');
  const last = numberOf(rows.at(-1), 'line') ?? 0;
  if (total === 0) return null;
  return (
    <Part id="import-refused" title={t('import.refusedTitle', { count: number(total) })}>
      <p className="soft">{t('import.refusedText')}</p>
      <PlainTable
        key={after}
        label={t('import.refused')}
        rows={rows}
        columns={[
          ofLine(t('import.line'), number),
          { label: t('column.object'), draw: (row) => <LineName row={row} /> },
          {
            label: t('column.reason'),
            draw: (row) => (
              <span>
                {textOf(row, 'path') ? <span className="code-text">{textOf(row, 'path')}</span> : null}{' '}
                {said(textOf(row, 'message'))} <span className="code-text soft">{textOf(row, 'code')}</span>
              </span>
            ),
          },
        ]}
        keyOf={keyOfLine}
      />
      {total > rows.length ? (
        <p className="button-row">
          {after > 0 ? (
            <button type="button" className="plain-button" onClick={() => setAfter(0)}>
              {t('import.first')}
            </button>
          ) : null}
          <button type="button" className="plain-button" onClick={() => setAfter(last)}>
            {t('import.further')}
          </button>
        </p>
      ) : null}
    </Part>
  );
}

function Warnings({ plan }: { plan: Row }) {
  const { t, tName, number } = useLocale();
  const total = numberOf(plan, 'warningCount') ?? 0;
  if (total === 0) return null;
  return (
    <Part id="import-warnings" title={t('import.warnings', { count: number(total) })}>
      <PlainTable
        label={t('import.warning')}
        rows={rowsOf(plan, 'warnings')}
        columns={[
          ofLine(t('import.line'), number),
          { label: t('column.object'), draw: (row) => <LineName row={row} /> },
          { label: t('import.warning'), draw: (row) => tName('importWarning.', textOf(row, 'code')) },
        ]}
        keyOf={keyOfLine}
      />
    </Part>
  );
}

function PriceChanges({ plan }: { plan: Row }) {
  const { t, number, money } = useLocale();
  const total = numberOf(plan, 'priceChangeCount') ?? 0;
  if (total === 0) return null;
  const amount = (name: 'theirs' | 'ours'): PlainColumn<Row> => ({
    label: t(`import.${name}`),
    isEnd: true,
    draw: (row) => <span className="amount">{money(numberOf(row, name) ?? 0, textOf(row, 'currency'))}</span>,
  });
  return (
    <Part id="import-prices" title={t('import.prices', { count: number(total) })}>
      <p className="soft">{t('import.pricesText')}</p>
      <PlainTable
        label={t('import.pricesTable')}
        rows={rowsOf(plan, 'priceChanges')}
        columns={[
          ofLine(t('import.line'), number),
          {
            label: t('column.subscription'),
            draw: (row) => <span className="code-text">{textOf(row, 'ref')}</span>,
          },
          amount('theirs'),
          amount('ours'),
        ]}
        keyOf={keyOfLine}
      />
    </Part>
  );
}

/** Days are of UTC, as the server counts them. */
function Charges({ charges }: { charges: readonly Row[] }) {
  const { t, number, money, day } = useLocale();
  const sums = new Map<string, number>();
  for (const one of charges) {
    const currency = textOf(one, 'currency');
    sums.set(currency, (sums.get(currency) ?? 0) + (numberOf(one, 'amount') ?? 0));
  }
  return (
    <Part id="import-charges" title={t('import.charges')}>
      {charges.length === 0 ? <p className="soft">{t('import.noCharges')}</p> : null}
      {charges.length > 0 ? (
        <>
          <p className="soft">
            {t('import.chargesText', {
              sum: [...sums].map(([currency, minor]) => money(minor, currency)).join(', '),
            })}
          </p>
          <PlainTable
            label={t('import.charges')}
            rows={charges}
            columns={[
              {
                label: t('import.day'),
                draw: (row) => (
                  <time dateTime={textOf(row, 'day')}>{day(Date.parse(textOf(row, 'day')), 'UTC')}</time>
                ),
              },
              {
                label: t('list.payments'),
                isEnd: true,
                draw: (row) => <span className="amount">{number(numberOf(row, 'count') ?? 0)}</span>,
              },
              {
                label: t('column.amount'),
                isEnd: true,
                draw: (row) => (
                  <span className="amount">
                    {money(numberOf(row, 'amount') ?? 0, textOf(row, 'currency'))}
                  </span>
                ),
              },
            ]}
            keyOf={(row) => `${textOf(row, 'day')} ${textOf(row, 'currency')}`}
          />
        </>
      ) : null}
    </Part>
  );
}
