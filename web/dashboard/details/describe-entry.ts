import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { nameOperation } from '../audit/words.ts';
import type { Locale } from '../ui/locale.tsx';

/** What an entry of a timeline says beside what it is of. */
export function describeEntry(entry: Row, { tName, money }: Pick<Locale, 'tName' | 'money'>): string {
  const data = rowOf(entry, 'data');
  const status = textOf(data, 'status');
  const amount = numberOf(data, 'amount');
  const currency = textOf(data, 'currency');
  // Of money its state and how much; the API's title of it says the same in English.
  if (status !== '' && amount !== null && currency !== '')
    return `${tName('status.', status)} · ${money(amount, currency)}`;
  const title = textOf(entry, 'title');
  if (textOf(entry, 'type') === 'audit') return nameOperation(title, { tName });
  // One that waits to be written has no subject yet.
  if (textOf(entry, 'type') === 'mail' && title === textOf(data, 'kind')) return tName('mail.', title);
  if (textOf(entry, 'type') !== 'delivery') return title;
  return `${title.split(' ')[0]} · ${tName('delivery.', status)}`;
}
