/** Every metric with its course, and how it is computed. */

import { useLocation } from 'wouter';
import type { Row } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { startOfDay, toDay } from '../lists/query.ts';
import { DayInput } from '../ui/day-input.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { CheckoutReport } from './checkout-report.tsx';
import { Growth } from './growth.tsx';
import { readMetrics, writeMetric } from './metrics.ts';
import { Plot } from './plot.tsx';
import { type Span, useSpan } from './span.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

export default function Reports() {
  const { t } = useLocale();
  useTitle(t('reports.title'));
  const span = useSpan();
  const read = useRead<{ metrics: Row[] }>('/v0/reports/overview', {
    query: `${span.query}&compare=previous`,
    keep: true,
    staleMs: MINUTE_MS,
  });
  const isReady = useRoom('home');
  const metrics = [...readMetrics(read.data?.metrics ?? [])];
  return (
    <section className="sheet list-screen" aria-labelledby="reports-title">
      <div className="sheet-head">
        <h1 id="reports-title">{t('reports.title')}</h1>
        <SpanFields span={span} />
      </div>
      <ErrorNotice text={read.error?.message} />
      <div className="report-grid">
        {metrics.map(([name, values]) => (
          <Report key={name} name={name} values={values} span={span} isExplained={isReady} />
        ))}
      </div>
      {/* Below the figures, whose height is not known before. */}
      {read.data || read.error ? <CheckoutReport span={span} /> : null}
    </section>
  );
}

function SpanFields({ span }: { span: Span }) {
  const { t } = useLocale();
  const { zone } = useStore();
  const [location, navigate] = useLocation();
  const go = (from: number, to: number) => {
    if (from < to) navigate(`${location}?from=${from}&to=${to}`, { replace: true });
  };
  const dayAfter = (day: string) => startOfDay(toDay(startOfDay(day, zone) + 36 * HOUR_MS, zone), zone);
  return (
    <div className="span-fields">
      <label htmlFor="span-from">
        {t('reports.from')}
        <DayInput
          id="span-from"
          value={toDay(span.from, zone)}
          take={(day) => day !== '' && go(startOfDay(day, zone), span.to)}
        />
      </label>
      <label htmlFor="span-to">
        {t('reports.to')}
        <DayInput
          id="span-to"
          value={toDay(span.to - 1, zone)}
          take={(day) => day !== '' && go(span.from, dayAfter(day))}
        />
      </label>
    </div>
  );
}

interface ReportProps {
  name: string;
  values: ReturnType<typeof readMetrics> extends Map<string, infer V> ? V : never;
  span: Span;
  /** Whether the words for how it is computed are there. */
  isExplained: boolean;
}

function Report({ name, values, span, isExplained }: ReportProps) {
  const locale = useLocale();
  const { t, tName } = locale;
  return (
    <article className="report">
      <h2>{tName('metric.', name)}</h2>
      {values.map((one) => (
        <p key={one.currency ?? ''} className="figure-value">
          {writeMetric(one.value, one, locale)} <Growth of={one} />
        </p>
      ))}
      <Plot metric={name} span={span} />
      {isExplained ? (
        <details>
          <summary>{t('reports.how')}</summary>
          <p>{tName('sentence.', name)}</p>
          <p className="code-text">{tName('formula.', name)}</p>
        </details>
      ) : null}
    </article>
  );
}
