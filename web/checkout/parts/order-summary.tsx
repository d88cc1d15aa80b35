import { useLocale } from '../../ui/locale.tsx';
import { LONG_AMOUNT } from '../../ui/money.ts';
import { LineItem } from '../../ui/parts/line-item.tsx';
import type { QuantityFieldProps } from '../../ui/parts/quantity-field.tsx';
import { SellerLine } from '../../ui/parts/seller-line.tsx';
import type { CheckoutView, Quote } from '../../ui/view.ts';
import { DiscountCode, type DiscountCodeProps } from './discount-code.tsx';
import { Totals } from './totals.tsx';

interface OrderSummaryProps {
  view: CheckoutView;
  quote: Quote;
  isPricing: boolean;
  /** Whether the buyer has chosen a country. */
  hasCountry: boolean;
  /** Null while nothing can be changed any more. */
  quantity: QuantityFieldProps | null;
  /** Null, too, where there is nothing to lower. */
  code: Omit<DiscountCodeProps, 'quote'> | null;
}

/** The stub: who sells what, for how much, on which terms. */
export function OrderSummary({ view, quote, isPricing, hasCountry, quantity, code }: OrderSummaryProps) {
  const { t, money } = useLocale();
  // The form has one quantity, so one item at most can take it.
  const mutable = view.items.find((item) => item.mutableQuantity);
  return (
    <section class="stub">
      <SellerLine name={view.seller.name} testMode={view.testMode} />
      <Headline view={view} quote={quote} />
      <ul class={view.items.length === 1 ? 'line-items alone' : 'line-items'} aria-label={t('order.items')}>
        {view.items.map((item, index) => (
          <LineItem
            key={item.offerId}
            item={item}
            quote={quote}
            line={quote.lines.length === view.items.length ? quote.lines[index] : undefined}
            quantity={item === mutable ? quantity : null}
          />
        ))}
      </ul>
      {code && <DiscountCode {...code} quote={quote} />}
      {quote.subtotal > 0 && (
        <div class="perforated" data-pricing={isPricing}>
          <Totals quote={quote} hasCountry={hasCountry} />
        </div>
      )}
      <p class="sr-only" aria-live="polite">
        {isPricing ? '' : t('total.announce', { amount: money(quote.dueNow, quote) })}
      </p>
    </section>
  );
}

/** What it comes to, in one line that can be read from afar, and the terms below it. */
function Headline({ view, quote }: { view: CheckoutView; quote: Quote }) {
  const { t, money, every, length, date } = useLocale();
  const trial = quote.dueNow === 0 ? view.items.find((item) => item.trial)?.trial : null;
  const { renewal } = quote;
  const amount = quote.total === 0 && !renewal ? t('headline.free') : money(quote.dueNow, quote);
  return (
    <div class="headline">
      <h1>{t('order.title')}</h1>
      <p class="headline-amount" data-long={!trial && amount.length > LONG_AMOUNT}>
        {trial ? t('headline.trial', { trial: length(trial) }) : amount}
      </p>
      {renewal && (
        <p class="headline-terms">
          {t(trial ? 'headline.trialThen' : 'headline.renewal', {
            amount: money(renewal.amount, quote),
            interval: every(renewal),
            date: date(renewal.startsAt),
          })}
        </p>
      )}
    </div>
  );
}
