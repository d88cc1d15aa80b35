/** What a merchant sees first: four figures on a torn-off row, their course, what waits, what is left to set up. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { Row } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Attention } from './attention.tsx';
import { Figure } from './figure.tsx';
import { FirstSteps } from './first-steps.tsx';
import { METRICS_OF_HOME, readMetrics } from './metrics.ts';
import { Plot } from './plot.tsx';
import { useSpan } from './span.ts';

export default function Home() {
  const { t } = useLocale();
  useTitle(t('nav.home'));
  const { may } = useStore();
  return (
    <>
      <h1 className="page-title">{t('nav.home')}</h1>
      {may('reports') ? <Figures /> : null}
      <div className="home-columns">
        <Attention />
        <FirstSteps />
        <LastOrders />
      </div>
    </>
  );
}

function Figures() {
  const { t } = useLocale();
  const span = useSpan();
  const [plotted, setPlotted] = useState<string>('netVolume');
  const read = useRead<{ metrics: Row[] }>('/v0/reports/overview', {
    query: `${span.query}&compare=previous`,
    keep: true,
  });
  const metrics = readMetrics(read.data?.metrics ?? []);
  return (
    <section className="ticket-figures" aria-label={t('home.figures')}>
      <div className="figures-head">
        <span className="soft">{t('home.span')}</span>
        <Link href="/finance/reports">{t('reports.title')}</Link>
      </div>
      {read.isError ? <p className="soft">{read.error.message}</p> : null}
      <div className="figure-stubs">
        {METRICS_OF_HOME.map((name) => (
          <Figure
            key={name}
            name={name}
            values={metrics.get(name) ?? []}
            isPending={read.isPending}
            isPlotted={plotted === name}
            plot={() => setPlotted(name)}
          />
        ))}
      </div>
      <Plot metric={plotted} span={span} />
    </section>
  );
}

function LastOrders() {
  const { t, money, day } = useLocale();
  const { may, zone } = useStore();
  const read = useRead<{ orders: Row[] }>('/v0/orders/list', { query: 'take=6', enabled: may('orders') });
  const orders = read.data?.orders ?? [];
  if (!may('orders') || orders.length === 0) return null;
  return (
    <section className="sheet small-sheet" aria-labelledby="last-orders">
      <div className="part-head">
        <h2 id="last-orders">{t('home.lastOrders')}</h2>
        <Link href="/orders">{t('all')}</Link>
      </div>
      <ul className="row-list">
        {orders.map((order) => (
          <li key={String(order.id)}>
            <Link href={`/orders/${String(order.number)}`} className="code-text">
              {String(order.number)}
            </Link>
            <span className="soft small">{day(Number(order.createdAt), zone)}</span>
            <span className="amount push">
              {money(Number(order.value), String(order.currency), Number(order.currencyDecimals ?? 2))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
