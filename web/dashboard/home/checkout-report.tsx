/** What became of checkouts: how many were looked at, and how far each came. */
import { useState } from 'react';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useLocale } from '../ui/locale.tsx';
import type { Span } from './span.ts';
import { Table } from './table.tsx';

const STEPS = ['viewed', 'started', 'submitted', 'declined', 'paid'] as const;
const WAYS = ['frame', 'date'] as const;

export function CheckoutReport({ span }: { span: Span }) {
  const locale = useLocale();
  const { t, tName } = locale;
  const [groupBy, setGroupBy] = useState<(typeof WAYS)[number]>('frame');
  const read = useRead<Row>('/v0/reports/checkouts', {
    query: `${span.query}&groupBy=${groupBy}`,
    keep: true,
  });
  const currency = textOf(read.data, 'currency');
  // What was asked for before stays until the answer is there: its rows say what they are of.
  const nameOf = (row: Row) =>
    textOf(row, 'frame') === '' ? textOf(row, 'date') : tName('frame.', textOf(row, 'frame'));
  return (
    <section className="report-table" aria-labelledby="checkout-report">
      <div className="sheet-head">
        <h2 id="checkout-report">{t('list.checkouts')}</h2>
        <label className="stack">
          {t('checkoutReport.by')}
          <select
            value={groupBy}
            onChange={({ target }) => setGroupBy(WAYS.find((one) => one === target.value) ?? 'frame')}
          >
            {WAYS.map((way) => (
              <option key={way} value={way}>
                {t(`checkoutReport.${way}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <p className="soft">{t('checkoutReport.hint')}</p>
      <Table
        title={t('list.checkouts')}
        names={[
          t(`checkoutReport.${groupBy}`),
          ...STEPS.map((step) => t(`checkoutReport.${step}`)),
          t('metric.checkoutConversion'),
          t('checkoutReport.value'),
        ]}
        error={read.error}
        rows={rowsOf(read.data, 'rows').map((row) => [
          nameOf(row),
          ...STEPS.map((step) => locale.number(Number(row[step]))),
          Number(row.viewed) > 0
            ? locale.percentage(Math.round((Number(row.paid) / Number(row.viewed)) * 1000) / 10)
            : '–',
          currency === '' ? '–' : locale.money(Number(row.value), currency),
        ])}
      />
    </section>
  );
}
