/** Stripe's customers, and the methods that a connected account charges them by. */
import type { CustomerLine, PaymentMethodLine } from '../lines.ts';
import type { Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import {
  at,
  fromSeconds,
  type Item,
  isItem,
  listAt,
  toCountry,
  toDetails,
  toNumber,
  toRef,
  toText,
} from '../values.ts';
import { idOf } from './subscriptions.ts';

export interface CustomerFacts {
  /** Their tax ids, where they are a list of their own. */
  taxIds: Map<string, Item>;
  /** Where the card's holder lives, for who has given no other address. */
  cardAddresses: Map<string, Item>;
  defaults: Map<string, string>;
  discounts: Map<string, Item>;
  withoutEmail: Set<string>;
}

export async function readFacts(source: Source): Promise<CustomerFacts> {
  const facts: CustomerFacts = {
    ...{ taxIds: new Map(), cardAddresses: new Map(), defaults: new Map(), discounts: new Map() },
    withoutEmail: new Set(),
  };
  for await (const taxId of source.list('tax_ids')) {
    const owner = idOf(taxId.customer) ?? idOf(at(taxId, 'owner', 'customer'));
    if (owner !== null && !facts.taxIds.has(owner)) facts.taxIds.set(owner, taxId);
  }
  for await (const method of listMethodObjects(source)) {
    const [owner, address] = [idOf(method.customer), at(method, 'billing_details', 'address')];
    if (owner !== null && toCountry(at(address, 'country')) !== null && isItem(address))
      facts.cardAddresses.set(owner, address);
  }
  for await (const customer of source.list('customers')) {
    const ref = String(customer.id);
    const method =
      idOf(at(customer, 'invoice_settings', 'default_payment_method')) ?? idOf(customer.default_source);
    if (method !== null) facts.defaults.set(ref, method);
    if (isItem(customer.discount)) facts.discounts.set(ref, customer.discount);
    if (toText(customer.email, 320) === null) facts.withoutEmail.add(ref);
  }
  return facts;
}

/** Of their list, and those that customers and subscriptions hold whole. */
async function* listMethodObjects(source: Source): AsyncGenerator<Item> {
  yield* source.list('payment_methods');
  for await (const customer of source.list('customers')) {
    const method = at(customer, 'invoice_settings', 'default_payment_method');
    if (isItem(method)) yield method;
  }
  for await (const { default_payment_method: method } of source.list('subscriptions'))
    if (isItem(method)) yield method;
}

export async function* convertCustomers(
  source: Source,
  { facts, stays }: { facts: CustomerFacts; stays: Stays },
): AsyncGenerator<CustomerLine> {
  for await (const customer of source.list('customers')) {
    const ref = String(customer.id);
    const email = toText(customer.email, 320);
    if (email === null) {
      if (customer.deleted !== true) stays.add('no_email', ref);
      continue;
    }
    yield {
      ...{ kind: 'customer', ref, email, name: toText(customer.name, 200) },
      language: toText(at(customer, 'preferred_locales', 0), 35),
      billingDetails: toBillingDetails(customer, facts),
      createdAt: fromSeconds(customer.created),
    };
  }
}

function toBillingDetails(customer: Item, { taxIds, cardAddresses }: CustomerFacts) {
  const ref = String(customer.id);
  const own = isItem(customer.address) ? customer.address : {};
  const address = toCountry(own.country) === null ? (cardAddresses.get(ref) ?? own) : own;
  const taxId = listAt(customer, 'tax_ids', 'data')[0] ?? taxIds.get(ref);
  const [taxIdType, taxNumber] = [toText(taxId?.type, 32), toText(taxId?.value, 64)];
  const isCompany = taxNumber !== null;
  return toDetails({
    type: isCompany ? 'company' : null,
    companyName: isCompany ? (toText(customer.business_name, 200) ?? toText(customer.name, 200)) : null,
    address: toText(address.line1, 300),
    addressLine2: toText(address.line2, 300),
    city: toText(address.city, 100),
    state: toText(address.state, 100),
    postalCode: toText(address.postal_code, 20),
    countryCode: toCountry(address.country),
    taxIdType: isCompany ? taxIdType : null,
    taxNumber,
  });
}

/** Each once; `told` holds their ids afterwards. */
export async function* convertMethods(
  source: Source,
  { facts, told }: { facts: CustomerFacts; told: Set<string> },
): AsyncGenerator<PaymentMethodLine> {
  for await (const method of listMethodObjects(source)) {
    const [ref, customerRef] = [toRef(method.id), idOf(method.customer)];
    const isOurs = ref?.startsWith('pm_') && customerRef !== null && !facts.withoutEmail.has(customerRef);
    if (!isOurs || ref === null || told.has(ref)) continue;
    told.add(ref);
    const type = toText(method.type, 50) ?? 'card';
    const card = at(method, type);
    yield {
      ...{ kind: 'payment_method', ref, customerRef, processor: 'stripe' },
      ...{ processorCustomer: customerRef, processorMethod: ref, type },
      ...{ brand: toText(at(card, 'brand'), 40), last4: toText(at(card, 'last4'), 4) },
      ...{ expMonth: toNumber(at(card, 'exp_month')), expYear: toNumber(at(card, 'exp_year')) },
      isDefault: facts.defaults.get(customerRef) === ref,
    };
  }
}
