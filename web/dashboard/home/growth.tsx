import { useLocale } from '../ui/locale.tsx';
import { growth, type MetricValue, toneOf } from './metrics.ts';

/** How a figure stands to the one before; nothing where there is nothing to compare with. */
export function Growth({ of }: { of: MetricValue }) {
  const { t, percentage } = useLocale();
  const by = growth(of.value, of.previous);
  if (by === null) return null;
  if (by === 0) return <small>{percentage(0)}</small>;
  return (
    <small data-tone={toneOf(of.metric, by)}>
      <span aria-hidden="true">{by < 0 ? '↓' : '↑'}</span> {percentage(Math.abs(by))}
      <span className="sr-only"> {t(by < 0 ? 'home.less' : 'home.more')}</span>
    </small>
  );
}
