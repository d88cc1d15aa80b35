import { Link } from 'wouter';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useTestClock } from '../app/use-clock.ts';
import { dueOf } from '../lists/statements.tsx';
import { SILENT_KINDS, stateOfReport } from '../payments/report-state.ts';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

interface Matter {
  label: TextKey;
  /** Whose it is, where more than one can have such. */
  of?: string;
  area: string;
  operation: string;
  query: string;
  rowsIn: string;
  /** The list that shows the same rows. */
  path: string;
  fits?(row: Row): boolean;
  /** Of what the law gives so long for. */
  dueOf?(row: Row): number | null;
}

const MATTERS: readonly Matter[] = [
  {
    label: 'attention.pastDue',
    area: 'subscriptions',
    operation: '/v0/subscriptions/list',
    query: 'statuses=past_due',
    rowsIn: 'subscriptions',
    path: '/subscriptions',
  },
  {
    label: 'attention.unpaid',
    area: 'subscriptions',
    operation: '/v0/subscriptions/list',
    query: 'statuses=unpaid',
    rowsIn: 'subscriptions',
    path: '/subscriptions',
  },
  {
    label: 'attention.disputes',
    area: 'refunds',
    operation: '/v0/disputes/list',
    query: 'statuses=open',
    rowsIn: 'disputes',
    path: '/orders/disputes',
  },
  {
    label: 'attention.awaitingStock',
    area: 'orders',
    operation: '/v0/orders/list',
    query: 'fulfilment=awaiting_stock',
    rowsIn: 'orders',
    path: '/orders',
  },
  {
    label: 'attention.withdrawals',
    area: 'withdrawals',
    operation: '/v0/withdrawals/list',
    query: 'statuses=received,unmatched',
    rowsIn: 'withdrawals',
    path: '/orders/withdrawals',
    dueOf,
  },
  {
    label: 'attention.noticesForCause',
    area: 'withdrawals',
    operation: '/v0/cancellation-notices/list',
    query: 'statuses=received,unmatched&types=cause',
    rowsIn: 'notices',
    path: '/orders/cancellation-notices',
    dueOf,
  },
  {
    // An ordinary one that is a customer's waits for its own date, and for nobody.
    label: 'attention.noticesUnmatched',
    area: 'withdrawals',
    operation: '/v0/cancellation-notices/list',
    query: 'statuses=unmatched&types=ordinary',
    rowsIn: 'notices',
    path: '/orders/cancellation-notices',
    dueOf,
  },
  {
    label: 'attention.deletions',
    area: 'users',
    operation: '/v0/users/list',
    query: 'deletion=requested',
    rowsIn: 'users',
    path: '/customers',
    dueOf: (row) => numberOf(rowOf(row, 'deletion'), 'dueAt'),
  },
  {
    label: 'attention.held',
    area: 'payments',
    operation: '/v0/payments/list',
    query: 'held=true',
    rowsIn: 'payments',
    path: '/orders/payments',
  },
  {
    label: 'attention.processors',
    area: 'processors',
    operation: '/v0/processors/list',
    query: '',
    rowsIn: 'processors',
    path: '/settings/payments',
    fits: (row) => row.status === 'active' && textOf(rowOf(row, 'health'), 'state') !== 'ok',
  },
  {
    label: 'attention.lowStock',
    area: 'offers',
    operation: '/v0/offers/list',
    query: 'lowStock=true',
    rowsIn: 'offers',
    // Of offers there is no list: their products stand for them.
    path: '/catalogue/products',
  },
  {
    label: 'attention.webhooks',
    area: 'webhooks',
    operation: '/v0/webhooks/list',
    query: 'health=failing,blocked,disabled',
    rowsIn: 'webhooks',
    path: '/developers/webhooks',
  },
  {
    label: 'attention.mails',
    area: 'mails',
    operation: '/v0/mails/list',
    query: 'statuses=failed',
    rowsIn: 'mails',
    path: '/mail',
  },
  {
    label: 'attention.thresholds',
    area: 'reports',
    operation: '/v0/tax/thresholds',
    query: '',
    rowsIn: 'thresholds',
    path: '/finance/tax?tab=thresholds',
    fits: (row) => row.applies === true && typeof row.ratio === 'number' && row.ratio > NEAR,
  },
];

/** From here on a seller has to think of registering. */
const NEAR = 0.8;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** What waits for somebody, each as the list that shows it; nothing of what is quiet. */
export function Attention() {
  const { t } = useLocale();
  const { may } = useStore();
  return (
    <section className="sheet small-sheet attention" aria-labelledby="attention">
      <h2 id="attention">{t('attention.title')}</h2>
      <ul>
        {MATTERS.filter(({ area }) => may(area)).map((matter) => (
          <Line key={matter.label} matter={matter} />
        ))}
        {may('processors') ? <OfProcessors /> : null}
      </ul>
      <p className="all-quiet soft">{t('attention.none')}</p>
    </section>
  );
}

function Line({ matter }: { matter: Matter }) {
  const { t, number } = useLocale();
  const query = `${matter.query}${matter.query === '' ? '' : '&'}take=100`;
  const read = useRead<Row>(matter.operation, { query, staleMs: MINUTE_MS });
  const rows = rowsOf(read.data, matter.rowsIn).filter((row) => matter.fits?.(row) ?? true);
  const told = read.data?.count;
  const count = matter.fits || typeof told !== 'number' ? rows.length : told;
  if (!read.data) return <Unread what={t(matter.label)} isPending={read.isPending} />;
  if (count === 0) return null;
  return (
    <li>
      <Link href={matter.query === '' ? matter.path : `${matter.path}?${matter.query}`}>
        <span>
          {t(matter.label)}
          {matter.of ? <span className="soft"> {matter.of}</span> : null}
        </span>
        <DaysLeft dues={rows.map((row) => matter.dueOf?.(row) ?? null)} />
        <strong className="amount">{number(count)}</strong>
      </Link>
    </li>
  );
}

/** What is not known is not quiet: the line that says so is drawn where no other is. */
function Unread({ what, isPending }: { what: string; isPending: boolean }) {
  const { t } = useLocale();
  if (isPending) return <li hidden />;
  return (
    <li className="unread">
      <span>{what}</span>
      <span className="soft">{t('attention.unread')}</span>
    </li>
  );
}

/** What each processor told or holds that a person has to look at; both are on its own page. */
function OfProcessors() {
  const { t } = useLocale();
  const read = useRead<Row>('/v0/processors/list', { query: 'take=100', staleMs: MINUTE_MS });
  if (!read.data) return <Unread what={t('attention.processors')} isPending={read.isPending} />;
  return rowsOf(read.data, 'processors')
    .filter((row) => !SILENT_KINDS.has(textOf(row, 'kind')))
    .flatMap((row): Matter[] => {
      const id = textOf(row, 'id');
      const own = { of: textOf(row, 'name'), area: 'processors', path: `/settings/payments/${id}` };
      return [
        {
          ...own,
          label: 'attention.parked',
          operation: `/v0/processors/${id}/events/list`,
          query: 'statuses=parked',
          rowsIn: 'processorEvents',
        },
        {
          ...own,
          label: 'attention.reports',
          operation: `/v0/processors/${id}/reports/list`,
          query: '',
          rowsIn: 'reports',
          fits: (report) => stateOfReport(report) === 'open',
        },
      ];
    })
    .map((matter) => <Line key={matter.operation} matter={matter} />);
}

/** Of the row that is due first. */
function DaysLeft({ dues }: { dues: readonly (number | null)[] }) {
  const { t } = useLocale();
  const clock = useTestClock();
  const known = dues.filter((due) => due !== null);
  if (known.length === 0) return null;
  const days = Math.ceil((Math.min(...known) - (clock?.now ?? Date.now())) / DAY_MS);
  if (days < 1)
    return (
      <span className="stamp" data-tone="bad">
        {t('attention.overdue')}
      </span>
    );
  return <span className="soft">{t('attention.daysLeft', { days })}</span>;
}
