import { useLocale } from '../ui/locale.tsx';
import { growth, type MetricValue, toneOf, writeMetric } from './metrics.ts';

interface FigureProps {
  name: string;
  values: readonly MetricValue[];
  isPending: boolean;
  isPlotted: boolean;
  plot: () => void;
}

/** Signs from which on a figure is written as small as its stub wants it. */
const LONG = 11;

/** A figure on its stub; pressed, its course is drawn below. */
export function Figure({ name, values, isPending, isPlotted, plot }: FigureProps) {
  const locale = useLocale();
  const { t, tName } = locale;
  const shown =
    values.length > 0 ? values : [{ metric: name, unit: '', currency: null, value: null, previous: null }];
  return (
    <button type="button" className="figure" aria-pressed={isPlotted} onClick={plot}>
      <span className="figure-name">{tName('metric.', name)}</span>
      {shown.map((one) => {
        const by = growth(one.value, one.previous);
        const text = writeMetric(one.value, one, locale);
        return (
          <span key={one.currency ?? ''} className="figure-value" data-long={text.length > LONG}>
            {isPending ? <span className="skeleton" /> : text}
            {by === null ? null : (
              <small data-tone={toneOf(one.metric, by)}>
                <span aria-hidden="true">{by < 0 ? '↓' : '↑'}</span> {locale.percentage(Math.abs(by))}
                <span className="sr-only"> {t(by < 0 ? 'home.less' : 'home.more')}</span>
              </small>
            )}
          </span>
        );
      })}
    </button>
  );
}
