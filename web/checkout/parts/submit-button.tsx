import { useLocale } from '../../ui/locale.tsx';
import type { CheckoutView, Method, Quote } from '../../ui/view.ts';

interface SubmitButtonProps {
  view: CheckoutView;
  quote: Quote;
  /** How it is paid; null where nothing is offered. */
  method: Method | null;
  isPricing: boolean;
  isBusy: boolean;
}

/**
 * Says what pressing it costs. While a price is asked for, or the charge is on its way, it keeps its place and its focus: pressed
 * then it does nothing.
 */
export function SubmitButton({ view, quote, method, isPricing, isBusy }: SubmitButtonProps) {
  const { t, money, every, date } = useLocale();
  const { renewal } = quote;
  const trial = quote.dueNow === 0 ? view.items.find((item) => item.trial)?.trial : null;
  const isFree = quote.total === 0 && !view.items.some((item) => item.recurring);
  const payKey = method === 'transfer' ? 'submit.transfer' : 'submit.pay';
  const pay = isFree ? t('submit.free') : t(payKey, { amount: money(quote.dueNow, quote) });
  // The words of the button alone say what is ordered: a trial that is paid later names its price.
  const startTrial = renewal
    ? t('submit.trial', { amount: money(renewal.amount, quote), interval: every(renewal) })
    : pay;
  return (
    <div class="submit">
      <button
        type="submit"
        class="primary"
        aria-disabled={(isPricing && !isBusy) || undefined}
        aria-busy={isBusy || isPricing}
      >
        <span>{trial ? startTrial : pay}</span>
      </button>
      {renewal && (
        <p class="terms">
          {t(trial ? 'terms.trial' : 'terms.renewal', {
            amount: money(renewal.amount, quote),
            interval: every(renewal),
            date: date(renewal.startsAt),
          })}
        </p>
      )}
    </div>
  );
}
