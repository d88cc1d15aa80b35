import type { Locale } from '../ui/locale.tsx';

/** What stands beside a hit: the API names statuses, types and kinds by their codes, which are said in words. */
const CODES: Readonly<Record<string, string>> = {
  product: 'product.',
  payment: 'type.',
  invoice: 'document.',
  subscription: 'status.',
};
/** An order has its buyer's address beside it, or its status. */
const STATUS = /^[A-Z_]+$/;
/** One that is found by a key it sold has the end of that one. */
const KEY = /^key (••••.*)$/;

export function toSubtitle(
  { object, subtitle }: { object: string; subtitle: string },
  { t, tName }: Pick<Locale, 't' | 'tName'>,
): string {
  const key = KEY.exec(subtitle)?.[1];
  if (object === 'order' && key !== undefined) return t('search.key', { key });
  const prefix = object === 'order' && STATUS.test(subtitle) ? 'status.' : CODES[object];
  return prefix === undefined || subtitle === '' ? subtitle : tName(prefix, subtitle);
}
