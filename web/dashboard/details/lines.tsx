/** Lines of a sale with what they come to: each amount says how it came to be. */
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { Amount } from '../ui/cells.tsx';
import { nameLine } from '../ui/line-name.ts';
import { useLocale } from '../ui/locale.tsx';
import { useTools } from './tools.ts';

interface LinesProps {
  lines: readonly Row[];
  currency: string;
  decimals?: number | null;
  total: number | null;
  refunded?: number | null;
}

export function Lines({ lines, currency, decimals, total, refunded }: LinesProps) {
  const locale = useLocale();
  const { t } = locale;
  const tools = useTools();
  const sum = (field: string) => lines.reduce((all, line) => all + (numberOf(line, field) ?? 0), 0);
  const money = (minor: number | null) => (
    <Amount minor={minor} currency={currency} decimals={decimals} tools={tools} />
  );
  const isInclusive = lines.some((line) => line.inclusive === true);
  return (
    <>
      <ul className="sale-lines">
        {lines.map((line, index) => (
          <li key={textOf(line, 'id') || index}>
            <div className="sale-line">
              <div>
                <strong>
                  {nameLine(textOf(line, 'name'), locale) || textOf(rowOf(line, 'offer'), 'name')}
                </strong>
                <Explanation line={line} currency={currency} decimals={decimals ?? null} />
              </div>
              {money(numberOf(line, 'subtotal') ?? numberOf(line, 'value'))}
            </div>
          </li>
        ))}
      </ul>
      <dl className="totals">
        <Sum name={t('sum.subtotal')}>{money(sum('subtotal'))}</Sum>
        {sum('discount') !== 0 ? (
          <Sum name={t('sum.discount')}>{money(-Math.abs(sum('discount')))}</Sum>
        ) : null}
        <Sum name={t(isInclusive ? 'sum.taxIncluded' : 'sum.tax')}>{money(sum('tax'))}</Sum>
        <Sum name={t('sum.total')} isStrong>
          {money(total)}
        </Sum>
        {refunded ? <Sum name={t('sum.refunded')}>{money(-refunded)}</Sum> : null}
      </dl>
    </>
  );
}

function Sum({ name, isStrong, children }: { name: string; isStrong?: boolean; children: React.ReactNode }) {
  return (
    <div className={isStrong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Price times quantity, the period, each rate with its base. */
function Explanation({ line, currency, decimals }: { line: Row; currency: string; decimals: number | null }) {
  const { t, money, percentage, countryName, day } = useLocale();
  const { zone } = useTools();
  const quantity = numberOf(line, 'quantity') ?? 1;
  const value = numberOf(line, 'value');
  const [start, end] = [numberOf(line, 'periodStart'), numberOf(line, 'periodEnd')];
  const rates = rowsOf(line, 'taxRates');
  return (
    <details className="explanation">
      <summary>
        {value === null ? '' : t('sum.each', { quantity, price: money(value, currency, decimals) })}
      </summary>
      {textOf(line, 'description') ? <p>{textOf(line, 'description')}</p> : null}
      {start !== null && end !== null ? (
        <p>
          {day(start, zone)} – {day(end, zone)}
        </p>
      ) : null}
      {rates.map((rate) => (
        <p key={`${textOf(rate, 'country')} ${textOf(rate, 'name')} ${textOf(rate, 'percentage')}`}>
          {t('sum.rate', {
            name: textOf(rate, 'name'),
            country: countryName(textOf(rate, 'country')),
            rate: percentage(Number(rate.percentage)),
            base: money(Number(rate.taxable), currency, decimals),
            amount: money(Number(rate.amount), currency, decimals),
          })}
        </p>
      ))}
    </details>
  );
}
