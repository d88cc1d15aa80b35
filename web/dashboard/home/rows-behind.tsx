import { Modal } from '@mantine/core';
import { Link } from 'wouter';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { Point } from './point.ts';

/** What a point is the sum of. */
export default function RowsBehind(props: {
  metric: string;
  currency: string | null;
  point: Point;
  close: () => void;
}) {
  const locale = useLocale();
  const { t } = locale;
  const { zone } = useStore();
  const { metric, currency, point } = props;
  const query = new URLSearchParams({ metric, from: String(point.from), to: String(point.to), take: '100' });
  if (currency) query.set('currency', currency);
  const read = useRead<{ rows: Row[]; total: number }>('/v0/reports/rows', { query: query.toString() });
  return (
    <Modal
      opened
      onClose={props.close}
      title={t('plot.rowsBehind', { date: locale.day(point.from, zone) })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {read.isError ? <p className="field-error">{read.error.message}</p> : null}
      {read.data && read.data.rows.length === 0 ? <p className="soft">{t('none')}</p> : null}
      <ul className="row-list">
        {(read.data?.rows ?? []).map((row) => (
          <li key={`${textOf(row, 'object')} ${textOf(row, 'id')} ${textOf(row, 'part')}`}>
            <Link href={toPath(row)} className="code-text">
              {textOf(row, 'number') || textOf(row, 'id')}
            </Link>
            <span className="soft">
              {numberOf(row, 'at') === null ? '' : locale.time(Number(row.at), zone)}
            </span>
            <span className="amount push">
              {currency ? locale.money(Number(row.amount ?? 0), currency) : textOf(row, 'amount')}
            </span>
          </li>
        ))}
      </ul>
    </Modal>
  );
}

function toPath(row: Row): string {
  const id = textOf(row, 'number') || textOf(row, 'id');
  const object = textOf(row, 'object');
  if (object === 'subscription' || object === 'mrr_movement') return `/subscriptions/${id}`;
  if (object === 'user') return `/customers/${textOf(row, 'id')}`;
  if (object === 'payment') return `/orders/payments/${textOf(row, 'id')}`;
  return `/orders/${id}`;
}
