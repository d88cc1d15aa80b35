import type { OrderPaymentView, PayView, PurchaseView } from '../ui/debt.ts';
import { useLocale } from '../ui/locale.tsx';
import { LONG_AMOUNT } from '../ui/money.ts';
import { SellerLine } from '../ui/parts/seller-line.tsx';
import type { Quote } from '../ui/view.ts';
import { PayForm, toSending } from './pay-form.tsx';
import { payText } from './text.ts';

interface OrderPaymentProps {
  view: OrderPaymentView;
  purchase: PurchaseView;
  onView(view: PayView): void;
}

/** Pays an order whose payment was declined: as it was ordered, by a card that is typed. */
export function OrderPayment({ view, purchase, onView }: OrderPaymentProps) {
  const { t } = useLocale();
  const { apiUrl, testMode } = view;
  const { renewal, dueNow, total } = purchase;
  const terms = useTerms(purchase);
  const payable = { ...purchase, testMode, amount: dueNow };
  const reprice = (quote: Quote) => {
    const { discount, tax, total, dueNow, renewal, fingerprint, methods, processorFields } = quote;
    const priced = { discount, tax, total, dueNow, renewal, fingerprint, methods, processorFields };
    // A merchant may have put another currency, too.
    const { currency, currencyDecimals } = quote;
    onView({ ...view, purchase: { ...purchase, ...priced, currency, currencyDecimals } });
  };
  return (
    <main class="ticket">
      <PurchaseSummary view={view} purchase={purchase} />
      <div class="pane">
        <PayForm
          payable={payable}
          isSecond={false}
          keeping={renewal ? 'yes' : 'no'}
          label={dueNow < total ? t('submit.trial') : null}
          terms={terms}
          send={toSending(apiUrl, onView)}
          onPrice={reprice}
        />
      </div>
    </main>
  );
}

/** What a subscription costs from when on; null for what is bought once. */
function useTerms(purchase: PurchaseView): string | null {
  const { t, money, every, date } = useLocale();
  const { renewal, dueNow, total } = purchase;
  if (!renewal) return null;
  return t(dueNow < total ? 'terms.trial' : 'terms.renewal', {
    amount: money(renewal.amount, purchase),
    interval: every(renewal),
    date: date(renewal.startsAt),
  });
}

/** The stub: what was ordered of whom, and for how much. */
function PurchaseSummary({ view, purchase }: Omit<OrderPaymentProps, 'onView'>) {
  const { t, money } = useLocale();
  const { items, discount, tax, total, dueNow, orderNumber } = purchase;
  const amount = money(dueNow, purchase);
  return (
    <section class="stub">
      <SellerLine seller={view.seller} testMode={view.testMode} />
      <div class="headline">
        <h1>{payText('pay.title')}</h1>
        <p class="headline-amount" data-long={amount.length > LONG_AMOUNT}>
          {amount}
        </p>
        <p class="headline-terms">{payText('pay.orderOpen')}</p>
      </div>
      <ul class="debt-parts" aria-label={t('order.items')}>
        {items.map((item, index) => (
          <li key={index}>
            <div class="line-text">
              <p class="line-name">{item.name}</p>
              {item.quantity > 1 && (
                <p class="line-note">{t('receipt.quantity', { count: item.quantity })}</p>
              )}
            </div>
            <span class="amount">{money(item.amount, purchase)}</span>
          </li>
        ))}
      </ul>
      <div class="perforated">
        <dl class="totals">
          {discount > 0 && (
            <div class="saving">
              <dt>{t('total.discount')}</dt>
              <dd>{money(-discount, purchase)}</dd>
            </div>
          )}
          <div class={dueNow < total ? 'later' : 'strong'}>
            <dt>{t(dueNow < total ? 'total.afterTrial' : 'total.total')}</dt>
            <dd>{money(total, purchase)}</dd>
          </div>
          {tax !== null && tax > 0 && (
            <div class="included">
              <dt>{t('receipt.includedTax')}</dt>
              <dd>{money(tax, purchase)}</dd>
            </div>
          )}
          {dueNow < total && (
            <div class="strong">
              <dt>{t('total.dueToday')}</dt>
              <dd>{amount}</dd>
            </div>
          )}
        </dl>
        <p class="line-note pay-order">{payText('pay.order', { number: orderNumber })}</p>
      </div>
    </section>
  );
}
