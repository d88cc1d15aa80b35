/** A customer that the merchant has at Stripe already, and by what they can be charged. */
import type Stripe from 'stripe';
import type { CustomerOutcome, KeptMethod } from '../payment-provider.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';
import { describeMethodOfStripe, toStoredReference } from './methods.ts';

const UNKNOWN = { kind: 'unknown' as const };
const CUSTOMER = /^cus_\w{1,250}$/;
const METHODS_MAX = 100;
/** That are charged again as they are. */
const REUSABLE = new Set<string>(['card', 'link', 'sepa_debit', 'bacs_debit']);

/** Throws StripeFailure where there is no answer. */
export async function findStripeCustomer(client: StripeClient, customerId: string): Promise<CustomerOutcome> {
  if (!CUSTOMER.test(customerId)) return UNKNOWN;
  try {
    const customer = await client.ask((sdk, how) => sdk.customers.retrieve(customerId, {}, how));
    if (customer.deleted) return UNKNOWN;
    const { data } = await client.ask((sdk, how) =>
      sdk.customers.listPaymentMethods(customerId, { limit: METHODS_MAX }, how),
    );
    const reusable = data
      .filter(({ type }) => REUSABLE.has(type))
      .sort((one, other) => other.created - one.created);
    const chosen = customer.invoice_settings?.default_payment_method;
    const chosenId = typeof chosen === 'string' ? chosen : chosen?.id;
    const method = reusable.find(({ id }) => id === chosenId) ?? reusable[0];
    return { kind: 'found', method: method ? toKept(customerId, method) : null };
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'missing') return UNKNOWN;
    throw error;
  }
}

function toKept(customer: string, method: Stripe.PaymentMethod): KeptMethod {
  const { id, type, card } = method;
  return {
    reference: toStoredReference({ customer, method: id, type }),
    details: describeMethodOfStripe(method),
    expiry: card ? { year: card.exp_year, month: card.exp_month } : null,
  };
}
