import { useLocale } from '../locale.tsx';
import type { CheckoutItem, Quote } from '../view.ts';
import { Cover } from './cover.tsx';
import { QuantityField, type QuantityFieldProps } from './quantity-field.tsx';

interface LineItemProps {
  item: CheckoutItem;
  quote: Quote;
  line: Quote['lines'][number] | undefined;
  /** The headline says what it is. */
  isAlone: boolean;
  /** Whether anything of the cart has a picture. */
  hasCover: boolean;
  /** Given where the buyer may choose how many. */
  quantity: QuantityFieldProps | null;
}

/** One thing to buy: picture, name, price and how many. */
export function LineItem({ item, quote, line, quantity, isAlone, hasCover }: LineItemProps) {
  const { t, money, every, date } = useLocale();
  const count = line?.quantity ?? item.quantity;
  const price = line?.subtotal ?? item.unitPrice * count;
  const each = money(item.unitPrice, quote);
  return (
    <li class="line-item">
      {hasCover && !isAlone && <Cover name={item.name} url={item.cover} />}
      <div class="line-text">
        <p class="line-name">{item.name}</p>
        {!isAlone && item.note && <p class="line-note">{item.note}</p>}
        {!isAlone && item.description && <p class="line-note clamp">{item.description}</p>}
        {item.trial && quote.dueNow === 0 && (
          <p class="line-tag">{t('item.trial', { date: date(item.trial.endsAt) })}</p>
        )}
        {item.warningMessage && <p class="line-warning">{item.warningMessage}</p>}
        {quantity && <QuantityField {...quantity} />}
      </div>
      <div class="line-price">
        {item.originalPrice !== null && item.originalPrice > item.unitPrice && (
          <s>
            <span class="sr-only">{t('item.originalPrice')} </span>
            {money(item.originalPrice * count, quote)}
          </s>
        )}
        <span class="amount">{price === 0 ? t('headline.free') : money(price, quote)}</span>
        {item.recurring && <span class="line-note">{every(item.recurring)}</span>}
        {count > 1 && (
          <span class="line-note">{quantity ? t('item.each', { amount: each }) : `${count} × ${each}`}</span>
        )}
      </div>
    </li>
  );
}
