/** Purchases of the test store without its page: by a card of the sandbox, or over a connection that is to be tried. */
import { type Row, rowOf, textOf } from '../api/objects.ts';
import type { Field, FormDeclaration } from './types.ts';
import { nest } from './values.ts';

const BUYER: readonly Field[] = [
  { name: 'offersIds', label: 'column.offers', kind: 'offers', required: true },
  { name: 'userEmail', label: 'column.email', kind: 'email', required: true },
  { name: 'billingDetails.countryCode', label: 'column.country', kind: 'country', initial: 'DE' },
];

const toOrder = (data: Row) => {
  const number = textOf(rowOf(data, 'order'), 'number');
  return number === '' ? null : `/orders/${number}`;
};

export const TEST_PURCHASES: Readonly<Record<string, FormDeclaration>> = {
  'test-purchase': {
    title: 'form.testPurchase',
    submit: 'form.testPurchase',
    method: 'POST',
    path: '/v0/test-purchases/create',
    fields: [
      ...BUYER,
      { name: 'card', kind: 'text', hint: 'form.cardHint' },
      { name: 'discountCode', kind: 'text' },
    ],
    next: toOrder,
  },
  'test-checkout': {
    title: 'field.testCheckout',
    submit: 'field.testCheckout',
    method: 'POST',
    path: '/v0/test-purchases/create',
    fields: [...BUYER, { name: 'paymentMethod', kind: 'text', hint: 'form.testMethodHint' }],
    next: toOrder,
  },
};

/** Over the processor of the page that it was opened on: only Stripe knows test methods by their names. */
export function toProcessorPurchase(form: FormDeclaration, given: Record<string, unknown>): FormDeclaration {
  const { processorId, kind } = given;
  return {
    ...form,
    fields: form.fields.filter(({ name }) => name !== 'paymentMethod' || kind === 'stripe'),
    toBody: (filled) => ({
      processorId,
      ...(kind === 'stripe' ? { paymentMethod: STANDARD_METHOD } : {}),
      ...nest(filled),
    }),
  };
}

const STANDARD_METHOD = 'pm_card_visa';
