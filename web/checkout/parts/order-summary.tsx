import { useEffect, useId, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { LONG_AMOUNT } from '../../ui/money.ts';
import { Cover } from '../../ui/parts/cover.tsx';
import { CheckIcon } from '../../ui/parts/icons.tsx';
import { LineItem } from '../../ui/parts/line-item.tsx';
import type { QuantityFieldProps } from '../../ui/parts/quantity-field.tsx';
import { SellerLine } from '../../ui/parts/seller-line.tsx';
import { isFreeOfCharge, Totals } from '../../ui/parts/totals.tsx';
import type { CheckoutItem, CheckoutView, Quote } from '../../ui/view.ts';
import { BackLink } from './back-link.tsx';
import { DiscountCode, type DiscountCodeProps } from './discount-code.tsx';

interface OrderSummaryProps {
  view: CheckoutView;
  quote: Quote;
  isPricing: boolean;
  /** Whether the buyer has chosen a country. */
  hasCountry: boolean;
  /** Null where the buyer chooses nothing, or no more. */
  quantityOf(item: CheckoutItem): QuantityFieldProps | null;
  /** Null, too, where there is nothing to lower. */
  code: Omit<DiscountCodeProps, 'quote'> | null;
}

/**
 * The stub: who sells what, for how much, on which terms. On a phone it is closed to a line with the total, which opens
 * by a press, or by itself for what is wrong within.
 */
export function OrderSummary({ view, quote, isPricing, hasCountry, quantityOf, code }: OrderSummaryProps) {
  const { t, money } = useLocale();
  const [isOpen, setOpen] = useState(false);
  const lines = view.items.map((item) => ({ item, quantity: quantityOf(item) }));
  const isWrong = lines.some(({ quantity }) => quantity?.error);
  useEffect(() => {
    if (isWrong) setOpen(true);
  }, [isWrong]);
  const id = useId();
  const amount = useHeadlineAmount(view, quote);
  const announced = isFreeOfCharge(quote) ? amount : money(quote.dueNow, quote);
  const hasCovers = view.items.some(({ cover }) => cover);
  const [only] = view.items.length === 1 ? view.items : [];
  return (
    <section class="stub" data-open={isOpen}>
      <SellerLine seller={view.seller} testMode={view.testMode} />
      <BackLink view={view} />
      <Headline view={view} quote={quote} only={only} />
      <button
        type="button"
        class="summary-line"
        aria-expanded={isOpen}
        aria-controls={`${id}-items ${id}-totals`}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{t('order.title')}</span>
        <span class="amount">{amount}</span>
      </button>
      <ul class="line-items fold" id={`${id}-items`} aria-label={t('order.items')}>
        {lines.map(({ item, quantity }, index) => (
          <LineItem
            key={item.offerId}
            item={item}
            quote={quote}
            line={quote.lines.length === view.items.length ? quote.lines[index] : undefined}
            quantity={quantity}
            isAlone={only !== undefined}
            hasCover={hasCovers}
          />
        ))}
      </ul>
      {code && <DiscountCode {...code} quote={quote} />}
      {quote.subtotal > 0 && (
        <div class="perforated fold" id={`${id}-totals`} data-pricing={isPricing}>
          <Totals quote={quote} hasCountry={hasCountry} isPricing={isPricing} />
        </div>
      )}
      <p class="sr-only" aria-live="polite">
        {isPricing ? '' : t('total.announce', { amount: announced })}
      </p>
    </section>
  );
}
interface HeadlineProps {
  view: CheckoutView;
  quote: Quote;
  /** What is bought, where it is one thing. */
  only: CheckoutItem | undefined;
}

/** What is bought, what it comes to, in one line that can be read from afar, and the terms below it. */
function Headline({ view, quote, only }: HeadlineProps) {
  const { t, money, every, date } = useLocale();
  const { renewal } = quote;
  const trial = findTrial(view, quote);
  const amount = useHeadlineAmount(view, quote);
  return (
    <div class="headline">
      {only?.cover && <Cover name={only.name} url={only.cover} className="banner" />}
      <h1>{only ? only.name : t('order.title')}</h1>
      {only?.note && <p class="line-note">{only.note}</p>}
      <p class="headline-amount" data-long={!trial && amount.length > LONG_AMOUNT}>
        {amount}
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
      {only && <Contents item={only} />}
    </div>
  );
}

const findTrial = (view: CheckoutView, quote: Quote): CheckoutItem['trial'] =>
  (quote.dueNow === 0 && view.items.find((item) => item.trial)?.trial) || null;

function useHeadlineAmount(view: CheckoutView, quote: Quote): string {
  const { t, money, length } = useLocale();
  const trial = findTrial(view, quote);
  if (trial) return t('headline.trial', { trial: length(trial) });
  return isFreeOfCharge(quote) ? t('headline.free') : money(quote.dueNow, quote);
}

/** What it is, in the seller's words. */
function Contents({ item: { description, features } }: { item: CheckoutItem }) {
  if (!description && features.length === 0) return null;
  return (
    <div class="contents fold">
      {description && <p>{description}</p>}
      {features.length > 0 && (
        <ul class="features">
          {features.map((feature, index) => (
            <li key={index}>
              <CheckIcon />
              {feature}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
