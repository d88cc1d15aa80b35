import type { CSSProperties } from 'react';
import { useLocale } from '../ui/locale.tsx';
import { Growth } from './growth.tsx';
import { type MetricValue, writeMetric } from './metrics.ts';

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
  const { tName } = locale;
  const shown =
    values.length > 0 ? values : [{ metric: name, unit: '', currency: null, value: null, previous: null }];
  return (
    <button type="button" className="figure" aria-pressed={isPlotted} onClick={plot}>
      <span className="figure-name">{tName('metric.', name)}</span>
      {shown.map((one) => {
        const text = writeMetric(one.value, one, locale);
        return (
          <span
            key={one.currency ?? ''}
            className="figure-value"
            data-long={text.length > LONG}
            style={{ '--signs': text.length } as CSSProperties}
          >
            {isPending ? <span className="skeleton" /> : text}
            <Growth of={one} />
          </span>
        );
      })}
    </button>
  );
}
