/** Cards that one service has handed to Stripe: a table of whose customer there is which customer at Stripe. */
import type { PaymentMethodLine } from './lines.ts';
import type { Source } from './source.ts';
import type { Stays } from './stays.ts';
import { at, type Item, isItem, toNumber, toRef, toText } from './values.ts';

const COLUMNS = ['old_customer_id', 'stripe_customer_id'] as const;

/** By customer there. */
export type Cards = ReadonlyMap<string, PaymentMethodLine>;

/**
 * A charge needs Stripe's `pm_…`, too: from a third column, `stripe_payment_method_id`, or from Stripe's own list of
 * methods in the same folder (`payment_methods.jsonl`).
 */
export async function readCards(source: Source, stays: Stays): Promise<Cards> {
  const methods = new Map<string, Item>();
  for await (const method of source.list('payment_methods')) {
    const owner = toRef(isItem(method.customer) ? method.customer.id : method.customer);
    if (owner !== null && String(method.id).startsWith('pm_')) methods.set(owner, method);
  }
  const cards = new Map<string, PaymentMethodLine>();
  for await (const row of source.table(COLUMNS)) {
    const [customerRef, processorCustomer] = [row.old_customer_id ?? '', row.stripe_customer_id ?? ''];
    const method = methods.get(processorCustomer);
    const id = row.stripe_payment_method_id || String(method?.id ?? '');
    if (!/^pm_\w+$/.test(id) || !/^cus_\w+$/.test(processorCustomer)) {
      stays.add('card_without_method', customerRef);
      continue;
    }
    const type = toText(method?.type, 50) ?? 'card';
    const card = at(method, type);
    cards.set(customerRef, {
      ...{ kind: 'payment_method', ref: id, customerRef, processor: 'stripe' },
      ...{ processorCustomer, processorMethod: id, type },
      ...{ brand: toText(at(card, 'brand'), 40), last4: toText(at(card, 'last4'), 4) },
      ...{ expMonth: toNumber(at(card, 'exp_month')), expYear: toNumber(at(card, 'exp_year')) },
      isDefault: true,
    });
  }
  return cards;
}

export const CARD_KINDS = { payment_methods: (item: Item) => item.object === 'payment_method' };
