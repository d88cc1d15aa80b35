/** The lines of a payment that is to come, each with the time that it is for. */
import { useLocale } from '../../ui/locale.tsx';
import type { Line, Money } from '../shapes.ts';

export function Lines({ lines, money: currency }: { lines: Line[]; money: Money }) {
  const { money, dateRange } = useLocale();
  return (
    <dl class="facts">
      {lines.map((line, at) => (
        <div key={at}>
          <dt>
            {line.quantity > 1 && `${line.quantity} × `}
            {line.name}
            {line.periodStart !== null && line.periodEnd !== null && (
              <span class="hint"> {dateRange(line.periodStart, line.periodEnd)}</span>
            )}
          </dt>
          <dd>{money(line.total, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
