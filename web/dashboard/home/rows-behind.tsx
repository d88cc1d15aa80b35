import { useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { writeAmountBehind, writeTotal } from './metrics.ts';
import type { Point } from './point.ts';

interface Answer {
  metric: string;
  unit: string;
  currency: string;
  total: number | null;
  rows: Row[];
  cursor: string | null;
}

const PATH = '/v0/reports/rows';
const TAKE = '100';

/** What a point is the sum of. */
export default function RowsBehind(props: {
  metric: string;
  currency: string | null;
  /** What the point is called where it was pressed. */
  name: string;
  point: Point;
  close: () => void;
}) {
  const locale = useLocale();
  const { t } = locale;
  useReturnFocus();
  const { metric, currency, point } = props;
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const query = new URLSearchParams({ metric, from: String(point.from), to: String(point.to), take: TAKE });
  if (currency) query.set('currency', currency);
  // The first page, which is also read below: one call of both.
  const read = useRead<Answer>(PATH, { query: query.toString() });
  return (
    <Dialog onClose={props.close} title={t('plot.rowsBehind', { date: props.name })}>
      {read.data ? (
        <p>
          {t('plot.total')}: <strong className="amount">{writeTotal(read.data, locale)}</strong>
        </p>
      ) : null}
      {read.data && read.data.rows.length === 0 ? <p className="soft">{t('none')}</p> : null}
      <ul className="row-list">
        {cursors.map((cursor, index) => (
          <Page
            key={cursor}
            query={cursor === '' ? query.toString() : `${query}&cursor=${encodeURIComponent(cursor)}`}
            more={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
          />
        ))}
      </ul>
    </Dialog>
  );
}

function Page({ query, more }: { query: string; more: ((cursor: string) => void) | null }) {
  const locale = useLocale();
  const { t } = locale;
  const { zone } = useStore();
  const read = useRead<Answer>(PATH, { query });
  const { data } = read;
  if (read.isError) return <ErrorNotice text={read.error.message} />;
  if (!data) return null;
  const { cursor } = data;
  return (
    <>
      {data.rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a payment can stand in an answer twice, in the answer's order.
        <li key={index}>
          <PlaceLink href={toPath(row)} className="code-text">
            {textOf(row, 'number') || textOf(row, 'id')}
          </PlaceLink>
          <span className="soft">
            {numberOf(row, 'at') === null ? '' : locale.time(Number(row.at), zone)}
          </span>
          {textOf(row, 'part') ? (
            <span className="soft">{locale.tName('part.', textOf(row, 'part'))}</span>
          ) : null}
          <span className="amount push">
            {writeAmountBehind(
              { ...data, amount: Number(row.amount ?? 0), part: textOf(row, 'part') || null },
              locale,
            )}
          </span>
        </li>
      ))}
      {more && cursor ? (
        <li>
          <button type="button" className="link-button" onClick={() => more(cursor)}>
            {t('list.more')}
          </button>
        </li>
      ) : null}
    </>
  );
}

function toPath(row: Row): string {
  const id = textOf(row, 'number') || textOf(row, 'id');
  const object = textOf(row, 'object');
  if (object === 'subscription') return `/subscriptions/${id}`;
  if (object === 'user') return `/customers/${textOf(row, 'id')}`;
  if (object === 'payment') return `/orders/payments/${textOf(row, 'id')}`;
  return `/orders/${id}`;
}
