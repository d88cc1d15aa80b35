import type { ComponentChildren } from 'preact';
import { useLocale } from '../locale.tsx';
import type { Currency } from '../money.ts';
import type { Breakdown, Quote, TaxLine } from '../view.ts';

interface TotalsProps {
  quote: Quote;
  hasCountry: boolean;
  /** The figures of what was chosen last are on their way. */
  isPricing: boolean;
}

/** How the total comes about, in the server's figures. */
export function Totals({ quote, ...asked }: TotalsProps) {
  const { t, tCode, money } = useLocale();
  const isDueNow = quote.dueNow === quote.total;
  const isFree = isFreeOfCharge(quote);
  return (
    <>
      <dl class="totals">
        <Parts sums={quote} />
        {!quote.inclusive && !isFree && <ExclusiveTax quote={quote} {...asked} />}
        <Row
          label={t(isDueNow ? 'total.total' : 'total.afterTrial')}
          className={isDueNow ? 'strong' : 'later'}
        >
          {isFree ? t('headline.free') : money(quote.total, quote)}
        </Row>
        {quote.inclusive && <IncludedTax quote={quote} />}
        {!isDueNow && (
          <Row label={t('total.dueToday')} className="strong">
            {money(quote.dueNow, quote)}
          </Row>
        )}
      </dl>
      {quote.tax === 0 && quote.reason && tCode('taxReason.', quote.reason, '') && (
        <p class="hint">{tCode('taxReason.', quote.reason, '')}</p>
      )}
    </>
  );
}

/** Nothing is to be paid, now or later. */
export const isFreeOfCharge = ({ total, renewal }: Quote): boolean => total === 0 && !renewal;

type Sums = Breakdown & Currency;

/** What the lines come to, and what is taken off. */
export function Parts({ sums }: { sums: Sums }) {
  const { t, money } = useLocale();
  return (
    <>
      {(!sums.inclusive || sums.discount > 0) && (
        <Row label={t('total.subtotal')}>{money(sums.subtotal, sums)}</Row>
      )}
      {sums.discount > 0 && (
        <Row label={t('total.discount')} className="saving">
          {money(-sums.discount, sums)}
        </Row>
      )}
    </>
  );
}

/** One row per tax: added to the lines, or held by the total above it. */
export function TaxRows({ sums }: { sums: Sums }) {
  const { t, money, percentage, taxName } = useLocale();
  return (
    <>
      {sums.taxLines.map((line) => {
        const [name, rate] = [taxName(line.name), percentage(line.percentage)];
        const label = sums.inclusive ? t('total.taxIncluded', { name, rate }) : `${name} ${rate}`;
        return (
          <Row key={taxKey(line)} label={label} className={sums.inclusive ? 'included' : undefined}>
            {money(line.amount, sums)}
          </Row>
        );
      })}
    </>
  );
}

export function Row(props: { label: string; className?: string | undefined; children: ComponentChildren }) {
  return (
    <div class={props.className}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

export const taxKey = (line: TaxLine) => `${line.name} ${line.country} ${line.region} ${line.percentage}`;

function ExclusiveTax({ quote, hasCountry, isPricing }: TotalsProps) {
  const { t, money } = useLocale();
  if (quote.tax === null) {
    return (
      <Row label={t('total.tax')} className="open">
        {!hasCountry ? t('total.taxUnknown') : t(isPricing ? 'submit.working' : 'total.taxStateUnknown')}
      </Row>
    );
  }
  if (quote.taxLines.length === 0) return <Row label={t('total.tax')}>{money(quote.tax, quote)}</Row>;
  return <TaxRows sums={quote} />;
}

function IncludedTax({ quote }: { quote: Quote }) {
  const { t, money } = useLocale();
  if (!quote.tax) return null;
  if (quote.taxLines.length > 0) return <TaxRows sums={quote} />;
  return (
    <Row label={t('total.taxIncludedPlain')} className="included">
      {money(quote.tax, quote)}
    </Row>
  );
}
