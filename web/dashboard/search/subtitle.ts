/** What stands beside a hit: the API names statuses, types and kinds by their codes, which are said in words. */
const CODES: Readonly<Record<string, string>> = {
  product: 'product.',
  payment: 'type.',
  invoice: 'document.',
  subscription: 'status.',
};
/** An order has its buyer's address beside it, or its status. */
const STATUS = /^[A-Z_]+$/;

export function toSubtitle(
  { object, subtitle }: { object: string; subtitle: string },
  tName: (prefix: string, name: string) => string,
): string {
  const prefix = object === 'order' && STATUS.test(subtitle) ? 'status.' : CODES[object];
  return prefix === undefined || subtitle === '' ? subtitle : tName(prefix, subtitle);
}
