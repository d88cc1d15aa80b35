import type { ComponentChildren } from 'preact';
import { useLocale } from '../../ui/locale.tsx';
import type { Quote, TaxLine } from '../../ui/view.ts';

/** How the total comes about, in the server's figures. */
export function Totals({ quote, hasCountry }: { quote: Quote; hasCountry: boolean }) {
  const { t, tCode, money } = useLocale();
  const hasParts = !quote.inclusive || quote.discount > 0;
  return (
    <>
      <dl class="totals">
        {hasParts && <Row label={t('total.subtotal')}>{money(quote.subtotal, quote)}</Row>}
        {quote.discount > 0 && (
          <Row label={t('total.discount')} className="saving">
            {money(-quote.discount, quote)}
          </Row>
        )}
        {!quote.inclusive && <ExclusiveTax quote={quote} hasCountry={hasCountry} />}
        <Row
          label={t(quote.dueNow === quote.total ? 'total.total' : 'total.afterTrial')}
          className={quote.dueNow === quote.total ? 'strong' : 'later'}
        >
          {money(quote.total, quote)}
        </Row>
        {quote.inclusive && <IncludedTax quote={quote} />}
        {quote.dueNow !== quote.total && (
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

function Row(props: { label: string; className?: string; children: ComponentChildren }) {
  return (
    <div class={props.className}>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

const taxKey = (line: TaxLine) => `${line.name} ${line.country} ${line.region} ${line.percentage}`;

function ExclusiveTax({ quote, hasCountry }: { quote: Quote; hasCountry: boolean }) {
  const { t, money, percentage } = useLocale();
  if (quote.tax === null) {
    return (
      <Row label={t('total.tax')} className="open">
        {t(hasCountry ? 'total.taxStateUnknown' : 'total.taxUnknown')}
      </Row>
    );
  }
  if (quote.taxLines.length === 0) return <Row label={t('total.tax')}>{money(quote.tax, quote)}</Row>;
  return (
    <>
      {quote.taxLines.map((line) => (
        <Row key={taxKey(line)} label={`${line.name} ${percentage(line.percentage)}`}>
          {money(line.amount, quote)}
        </Row>
      ))}
    </>
  );
}

function IncludedTax({ quote }: { quote: Quote }) {
  const { t, money, percentage } = useLocale();
  if (!quote.tax) return null;
  if (quote.taxLines.length === 0) {
    return (
      <Row label={t('total.taxIncludedPlain')} className="included">
        {money(quote.tax, quote)}
      </Row>
    );
  }
  return (
    <>
      {quote.taxLines.map((line) => (
        <Row
          key={taxKey(line)}
          label={t('total.taxIncluded', { name: line.name, rate: percentage(line.percentage) })}
          className="included"
        >
          {money(line.amount, quote)}
        </Row>
      ))}
    </>
  );
}
