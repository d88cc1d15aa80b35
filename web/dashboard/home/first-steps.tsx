import { Link } from 'wouter';
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

interface Step {
  label: TextKey;
  path: string;
  isDone: boolean;
}

/** The sandbox is there by itself and takes none. */
const takesMoney = (processor: Row) =>
  textOf(processor, 'kind') !== 'sandbox' && textOf(processor, 'status') === 'active';

/** What sells keys or files. */
const AT_ONCE = 'take=1&types=DigitalDownload&types=Game&types=GiftCard&types=SoftwareKey';

/** Shown until all of it is done; each ticked by what the store holds, not by a press. */
export function FirstSteps() {
  const { t } = useLocale();
  const { may, isTest } = useStore();
  const products = useRead<Row>('/v0/products/list', { query: 'take=1', enabled: may('products') });
  const orders = useRead<Row>('/v0/orders/list', { query: 'take=1&statuses=PAID', enabled: may('orders') });
  const webhooks = useRead<Row>('/v0/webhooks/list', { query: 'take=1', enabled: may('webhooks') });
  const processors = useRead<Row>('/v0/processors/list', { enabled: may('processors') });
  const settings = useRead<Row>('/v0/settings', { enabled: may('settings') });
  const members = useRead<Row>('/v0/members/list', { enabled: may('members') });
  // Of what is delivered at once the right to withdraw ends only with the buyer's consent.
  const atOnce = useRead<Row>('/v0/products/list', { query: AT_ONCE, enabled: may('products') });
  const isPending = [products, orders, settings, processors, atOnce].some(
    (one) => one.isPending && one.fetchStatus !== 'idle',
  );
  const chosen = rowOf(settings.data, 'settings') ?? settings.data;
  const seller = rowOf(chosen, 'seller');
  const consent: Step = {
    label: 'steps.consent',
    path: '/settings/consumer',
    isDone: textOf(rowOf(chosen, 'consumer'), 'consent') !== 'off',
  };
  const steps: Step[] = [
    {
      label: 'steps.product',
      path: '/catalogue/products',
      isDone: rowsOf(products.data, 'products').length > 0,
    },
    {
      label: isTest ? 'steps.testPurchase' : 'steps.firstSale',
      path: '/orders',
      isDone: rowsOf(orders.data, 'orders').length > 0,
    },
    {
      label: 'steps.webhook',
      path: '/developers/webhooks',
      isDone: rowsOf(webhooks.data, 'webhooks').length > 0,
    },
    {
      label: 'steps.processor',
      path: '/settings/payments',
      isDone: rowsOf(processors.data, 'processors').some(takesMoney),
    },
    { label: 'steps.business', path: '/settings/business', isDone: textOf(seller, 'name') !== '' },
    ...(rowsOf(atOnce.data, 'products').length > 0 ? [consent] : []),
    { label: 'steps.team', path: '/settings/team', isDone: rowsOf(members.data, 'members').length > 1 },
  ];
  if (isPending || !may('settings', 'write') || steps.every(({ isDone }) => isDone)) return null;
  return (
    <section className="sheet small-sheet" aria-labelledby="first-steps">
      <h2 id="first-steps">{t('steps.title')}</h2>
      <ol className="steps">
        {steps.map(({ label, path, isDone }) => (
          <li key={label} data-done={isDone}>
            {isDone ? (
              <span>
                {t(label)} <span className="sr-only">{t('steps.done')}</span>
              </span>
            ) : (
              <Link href={path}>{t(label)}</Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
