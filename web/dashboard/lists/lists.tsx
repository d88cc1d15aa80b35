import { useLocation } from 'wouter';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { customers, mail, subscriptions } from './buyers.tsx';
import { checkouts, customFields, discounts, files, products } from './catalogue.tsx';
import { invoices, ledger } from './finance.tsx';
import { LedgerHead } from './ledger-head.tsx';
import { ListScreen } from './list-screen.tsx';
import { apiKeys, events, requests, webhooks } from './records.tsx';
import { disputes, orders, payments, refunds } from './sales.tsx';
import { cancellationNotices, withdrawals } from './statements.tsx';
import type { ListDeclaration } from './types.ts';

/** Every list by the path that it lies at. */
const LISTS: Readonly<Record<string, ListDeclaration>> = {
  orders,
  'orders/payments': payments,
  'orders/refunds': refunds,
  'orders/disputes': disputes,
  'orders/withdrawals': withdrawals,
  'orders/cancellation-notices': cancellationNotices,
  subscriptions,
  customers,
  'catalogue/products': products,
  'catalogue/discounts': discounts,
  'catalogue/checkouts': checkouts,
  'catalogue/files': files,
  'catalogue/custom-fields': customFields,
  'finance/invoices': invoices,
  'finance/ledger': ledger,
  mail,
  'developers/api-keys': apiKeys,
  'developers/webhooks': webhooks,
  'developers/events': events,
  'developers/requests': requests,
};

export default function Lists() {
  const [location] = useLocation();
  const { t } = useLocale();
  const path = location.replace(/^\/+|\/+$/g, '');
  const declaration = Object.hasOwn(LISTS, path) ? LISTS[path] : undefined;
  if (!declaration)
    return <Lonely title={t('notFound.title')} text={t('notFound.text')} to="/" action={t('nav.home')} />;
  return (
    <ListScreen
      key={path}
      declaration={declaration}
      above={path === 'finance/ledger' ? <LedgerHead /> : null}
    />
  );
}
