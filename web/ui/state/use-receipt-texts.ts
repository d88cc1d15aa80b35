import { type Locale, useLocale } from '../locale.tsx';
import type { Receipt } from '../view.ts';

/** How the subscription goes on, as it stands now: a receipt may be opened again after years. */
export function useTermsText(subscription: Receipt['subscription']): string | null {
  const { t, date } = useLocale();
  if (!subscription) return null;
  const { status, trialEnd, currentIntervalEnd, cancelAtIntervalEnd } = subscription;
  if (status === 'canceled') return t('receipt.ended');
  const endsAt = (status === 'trialing' && trialEnd) || currentIntervalEnd;
  if (cancelAtIntervalEnd) return t('receipt.ends', { date: date(endsAt) });
  if (status === 'trialing') return t('receipt.trial', { date: date(endsAt) });
  return status === 'active' ? t('receipt.renews', { date: date(endsAt) }) : null;
}

export function usePaymentMethodText(paymentMethod: Receipt['paymentMethod']): string | null {
  const locale = useLocale();
  return paymentMethod && describeMethod(locale, paymentMethod);
}

/** `Visa ending in 4242` */
export function describeMethod(
  { t }: Pick<Locale, 't'>,
  { type, name, last4 }: NonNullable<Receipt['paymentMethod']>,
): string {
  const brand = name ?? t(type === 'bank_transfer' ? 'method.transfer' : 'receipt.card');
  return last4 ? t('receipt.methodCard', { brand, last4 }) : brand;
}
