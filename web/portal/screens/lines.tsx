/** The lines of a payment that is to come, each with the time that it is for. */
import { useLocale } from '../../ui/locale.tsx';
import type { Line, Money } from '../shapes.ts';
import { p } from '../text.ts';

export function Lines({ lines, money: currency }: { lines: Line[]; money: Money }) {
  const { money, dateRange } = useLocale();
  const toDays = ({ periodStart: start, periodEnd: end }: Line) =>
    start === null || end === null ? null : dateRange(start, end);
  return (
    <dl class="facts">
      {lines.map((line, at) => {
        const days = toDays(line);
        const change = days === null ? null : describeChange(line, days);
        return (
          <div key={at}>
            <dt>
              {line.quantity > 1 && `${line.quantity} × `}
              {change ?? line.name}
              {change === null && days !== null && <span class="hint"> {days}</span>}
            </dt>
            <dd>{money(line.total, currency)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/** As the API calls a line of a change of plan, whose language is English. */
const CHANGE =
  /^(?:Unused|Remaining) time of (.+), \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \((?:removed|added|changed (?:to|from) (.+))\)$/s;

/** The same in the page's language; null for any other line. */
function describeChange({ kind, name }: Line, days: string): string | null {
  const isCredit = kind === 'proration_credit';
  if (!isCredit && kind !== 'proration_charge') return null;
  const [, title, other] = CHANGE.exec(name) ?? [];
  if (title === undefined) return null;
  if (other === undefined)
    return p(isCredit ? 'line.unused.removed' : 'line.remaining.added', { title, days });
  return p(isCredit ? 'line.unused.changed' : 'line.remaining.changed', { title, days, other });
}
