import type { DebtPart, DebtView } from '../../ui/debt.ts';
import { useLocale } from '../../ui/locale.tsx';
import { LONG_AMOUNT } from '../../ui/money.ts';
import { SellerLine } from '../../ui/parts/seller-line.tsx';
import { payCount, payText } from '../text.ts';

/** The stub: who is owed what, period by period. */
export function DebtSummary({ view }: { view: DebtView }) {
  const { t, money } = useLocale();
  const { dues, payments, productName } = view;
  const amount = money(view.amount, view);
  return (
    <section class="stub">
      <SellerLine seller={view.seller} testMode={view.testMode} />
      <div class="headline">
        <h1>{payText('pay.title')}</h1>
        <p class="headline-amount" data-long={amount.length > LONG_AMOUNT}>
          {amount}
        </p>
        <p class="headline-terms">{payCount('pay.text', payments, { name: productName })}</p>
        <AccessTerms access={view.access} />
      </div>
      <DebtParts parts={dues} view={view} label={payText('pay.dues')} />
      <div class="perforated">
        <dl class="totals">
          <div class="strong">
            <dt>{t('total.total')}</dt>
            <dd>{amount}</dd>
          </div>
          {view.tax > 0 && (
            <div class="included">
              <dt>{t('receipt.includedTax')}</dt>
              <dd>{money(view.tax, view)}</dd>
            </div>
          )}
        </dl>
        <p class="line-note pay-order">{payText('pay.order', { number: view.orderNumber })}</p>
      </div>
    </section>
  );
}

/** What becomes of the access if nothing is paid. */
function AccessTerms({ access }: Pick<DebtView, 'access'>) {
  const { date } = useLocale();
  if (access === null) return null;
  if (!access.isOpen) return <p class="headline-terms">{payText('pay.access.off')}</p>;
  return access.endsAt === null ? null : (
    <p class="headline-terms">{payText('pay.access.until', { date: date(access.endsAt) })}</p>
  );
}

interface DebtPartsProps {
  parts: DebtPart[];
  view: DebtView;
  label: string;
}

/** One line for each payment: what it is for, of which period, and its amount. */
export function DebtParts({ parts, view, label }: DebtPartsProps) {
  const { money, dateRange } = useLocale();
  return (
    <ul class="debt-parts" aria-label={label}>
      {parts.map(({ number, type, names, periodStart, periodEnd, amount }) => (
        <li key={number}>
          <div class="line-text">
            <p class="line-name">{names.join(', ') || view.productName}</p>
            <p class="line-note">
              {type === 'subscription_interval' && periodStart !== null && periodEnd !== null
                ? dateRange(periodStart, periodEnd)
                : payText(`pay.kind.${type}`)}
            </p>
          </div>
          <span class="amount">{money(amount, view)}</span>
        </li>
      ))}
    </ul>
  );
}
