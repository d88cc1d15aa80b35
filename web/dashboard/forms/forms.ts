/** Forms that make something, by name. A field here is a field of the operation's body. */
import { type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import {
  ACCOUNT_FIELDS,
  ofKind,
  PAYPAL_FIELDS,
  PROCESSOR_NAME,
  ROUTING_FIELDS,
  TRANSFER_FIELDS,
  toProcessorBody,
} from './processors.ts';
import { MEMBER_FIELDS, SCOPES } from './roles.ts';
import { TEST_PURCHASES, toProcessorPurchase } from './test-purchases.ts';
import type { Field, FormDeclaration } from './types.ts';

const TYPES = [
  'Game',
  'DigitalDownload',
  'SoftwareKey',
  'Subscription',
  'OneTimePayment',
  'GiftCard',
  'VirtualItem',
  'VirtualCurrency',
] as const;
const EVENTS = [
  'payment_success',
  'payment_refunded',
  'payment_failed',
  'subscription_created',
  'subscription_interval',
  'subscription_updated',
  'subscription_cancelled',
] as const;
const INTERVALS = ['day', 'week', 'month', 'year'] as const;

/** Whose public key may stand in a page. */
const PAGE_SCOPES = ['products', 'offers', 'elements', 'custom-fields', 'tax'].map((area) => `${area}:read`);
const isNotForPages = ({ isForPages }: Record<string, unknown>) => isForPages !== true;

/** An amount is of the currency that the form's own field names. */
const inChosenCurrency = ({ currency }: Record<string, unknown>): { currency?: string } => {
  const code = String(currency ?? '')
    .trim()
    .toUpperCase();
  return code === '' ? {} : { currency: code };
};

const idIn = (data: Row, name: string) => textOf(rowOf(data, name), 'id');

export const FORMS: Readonly<Record<string, FormDeclaration>> = {
  product: {
    title: 'form.createProduct',
    submit: 'form.createProduct',
    method: 'POST',
    path: '/v0/products/create',
    fields: [
      { name: 'name', kind: 'text', required: true },
      {
        name: 'type',
        kind: 'choice',
        required: true,
        options: TYPES,
        names: 'product.',
        initial: 'DigitalDownload',
      },
      { name: 'description', kind: 'long' },
      {
        name: 'status',
        kind: 'choice',
        required: true,
        options: ['ACTIVE', 'DRAFT', 'HIDDEN'],
        names: 'productStatus.',
        initial: 'ACTIVE',
      },
      { name: 'internalId', kind: 'text' },
      { name: 'cover', kind: 'url', hint: 'product.coverHint' },
      { name: 'developer', kind: 'text', when: ({ type }) => type === 'Game' },
      { name: 'publisher', kind: 'text', when: ({ type }) => type === 'Game' },
      {
        name: 'withdrawal',
        kind: 'choice',
        options: ['service', 'content', 'excluded'],
        names: 'withdrawalOf.',
      },
    ],
    next: (data) => `/catalogue/products/${idIn(data, 'product')}`,
  },
  offer: {
    title: 'form.createOffer',
    submit: 'form.createOffer',
    method: 'POST',
    path: '/v0/offers/create',
    fields: [
      { name: 'name', kind: 'text' },
      { name: 'price', kind: 'money', required: true, follows: inChosenCurrency },
      { name: 'originalPrice', kind: 'money', follows: inChosenCurrency },
      { name: 'freeProduct', kind: 'yes' },
      { name: 'currency', kind: 'text', hint: 'field.currencyHint' },
      { name: 'recurringInterval', kind: 'choice', options: INTERVALS, names: 'per.' },
      {
        name: 'recurringIntervalCount',
        kind: 'number',
        when: ({ recurringInterval }) => Boolean(recurringInterval),
      },
      {
        name: 'trialInterval',
        kind: 'choice',
        options: INTERVALS,
        names: 'interval.',
        when: ({ recurringInterval }) => Boolean(recurringInterval),
      },
      {
        name: 'trialIntervalCount',
        kind: 'number',
        when: ({ trialInterval }) => Boolean(trialInterval),
        endsUnasked: true,
      },
      { name: 'mutableQuantity', kind: 'yes' },
      { name: 'maxPerOrder', kind: 'number' },
      { name: 'limit', kind: 'number' },
      { name: 'taxBehavior', kind: 'choice', options: ['inclusive', 'exclusive'], names: 'taxBehaviour.' },
      { name: 'downloadFileId', kind: 'text' },
    ],
  },
  plan: {
    title: 'form.addPlan',
    submit: 'form.addPlan',
    method: 'POST',
    path: '/v0/products/{productId}/plans/add',
    fields: [
      { name: 'name', kind: 'text', required: true },
      { name: 'description', kind: 'long' },
    ],
  },
  discount: {
    title: 'form.createDiscount',
    submit: 'form.createDiscount',
    method: 'POST',
    path: '/v0/discounts/create',
    fields: [
      {
        name: 'type',
        kind: 'choice',
        required: true,
        options: ['code', 'sale'],
        names: 'discount.',
        initial: 'code',
      },
      { name: 'discountCode', kind: 'text', when: ({ type }) => type !== 'sale', endsUnasked: true },
      { name: 'name', kind: 'text' },
      {
        name: 'amountType',
        kind: 'choice',
        required: true,
        options: ['percentage', 'fixed'],
        names: 'option.',
        initial: 'percentage',
      },
      {
        name: 'amount',
        kind: 'percent',
        required: true,
        hint: 'discount.percentHint',
        follows: (values) =>
          values.amountType === 'fixed'
            ? { kind: 'money', hint: 'discount.fixedHint', ...inChosenCurrency(values) }
            : {},
      },
      {
        name: 'currency',
        kind: 'text',
        hint: 'field.currencyHint',
        when: ({ amountType }) => amountType === 'fixed',
      },
      {
        name: 'duration',
        kind: 'choice',
        required: true,
        options: ['once', 'repeating', 'forever'],
        names: 'duration.',
        initial: 'once',
      },
      {
        name: 'durationIntervals',
        kind: 'number',
        when: ({ duration }) => duration === 'repeating',
        endsUnasked: true,
      },
      { name: 'validFrom', kind: 'time' },
      { name: 'validUntil', kind: 'time' },
      { name: 'purchaseLimit', kind: 'number' },
      { name: 'limitPerUser', kind: 'number' },
      { name: 'includesAllOffers', kind: 'yes', initial: true },
      { name: 'includedOffers', kind: 'offers', when: ({ includesAllOffers }) => includesAllOffers !== true },
    ],
  },
  checkout: {
    title: 'form.createCheckout',
    submit: 'form.createCheckout',
    method: 'POST',
    path: '/v0/elements/checkout/create',
    fields: [
      { name: 'name', kind: 'text' },
      { name: 'offersIds', label: 'column.offers', kind: 'offers', required: true },
    ],
    next: (data) => `/catalogue/checkouts/${idIn(data, 'checkoutElement') || idIn(data, 'element')}`,
  },
  'custom-field': {
    title: 'form.createCustomField',
    submit: 'form.createCustomField',
    method: 'POST',
    path: '/v0/custom-fields/create',
    fields: [
      { name: 'label', kind: 'text', required: true },
      { name: 'key', kind: 'text', required: true },
      { name: 'type', kind: 'choice', required: true, options: ['text', 'dropdown'], initial: 'text' },
      { name: 'options', kind: 'lines', when: ({ type }) => type === 'dropdown', endsUnasked: true },
      { name: 'pattern', kind: 'text', when: ({ type }) => type === 'text', endsUnasked: true },
      { name: 'required', kind: 'yes' },
    ],
  },
  customer: {
    title: 'form.createCustomer',
    submit: 'form.createCustomer',
    method: 'POST',
    path: '/v0/users/create',
    fields: [
      { name: 'email', kind: 'email', required: true },
      { name: 'name', kind: 'text' },
      { name: 'internalId', kind: 'text' },
      { name: 'billingDetails.countryCode', label: 'column.country', kind: 'country' },
    ],
    next: (data) => `/customers/${idIn(data, 'user')}`,
  },
  processor: {
    title: 'processor.connect',
    submit: 'processor.connect',
    method: 'POST',
    path: '/v0/processors/connect',
    fields: [
      {
        name: 'kind',
        label: 'column.kind',
        kind: 'choice',
        required: true,
        options: ['stripe', 'paypal', 'manual'],
        names: 'processorKind.',
        initial: 'stripe',
      },
      PROCESSOR_NAME,
      ...ofKind('stripe', ACCOUNT_FIELDS),
      ...ofKind('paypal', PAYPAL_FIELDS),
      ...ofKind('manual', TRANSFER_FIELDS),
      ...ROUTING_FIELDS,
    ],
    toBody: toProcessorBody,
    next: (data) => `/settings/payments/${idIn(data, 'processor')}`,
  },
  webhook: {
    title: 'form.createWebhook',
    submit: 'form.createWebhook',
    method: 'POST',
    path: '/v0/webhooks/create',
    fields: [
      { name: 'url', kind: 'url', required: true },
      { name: 'events', kind: 'many', required: true, options: EVENTS, names: 'event.', initial: EVENTS },
      { name: 'description', kind: 'text' },
    ],
    next: (data) => `/developers/webhooks/${idIn(data, 'webhook')}`,
  },
  ...TEST_PURCHASES,
  'key-pair': {
    title: 'form.createKeyPair',
    submit: 'form.createKeyPair',
    method: 'POST',
    path: '/v0/api-keys/create',
    fields: [
      { name: 'name', kind: 'text', required: true },
      { name: 'isForPages', label: 'keys.forPages', kind: 'yes', initial: false, hint: 'keys.forPagesHint' },
      {
        name: 'scopes',
        kind: 'many',
        options: SCOPES,
        nameOption: (scope, tName) => {
          const [area = '', level = ''] = scope.split(':');
          return `${tName('area.', area)}: ${tName('level.', level)}`;
        },
        hint: 'keys.scopesHint',
        when: isNotForPages,
      },
      {
        name: 'readsWithPublicKey',
        label: 'keys.readsWithPublicKey',
        kind: 'yes',
        initial: false,
        hint: 'keys.readHint',
        when: isNotForPages,
      },
      {
        name: 'amounts',
        kind: 'choice',
        required: true,
        options: ['minor', 'major'],
        names: 'amounts.',
        initial: 'minor',
      },
      {
        name: 'ipAllowList',
        label: 'keys.addresses',
        kind: 'lines',
        hint: 'keys.addressesHint',
        when: isNotForPages,
      },
      { name: 'expiresAt', label: 'column.expires', kind: 'time' },
    ],
    toBody: ({ isForPages, readsWithPublicKey, ...filled }) =>
      isForPages === true
        ? { ...filled, scopes: PAGE_SCOPES, readRequiresSecret: false }
        : { ...filled, readRequiresSecret: readsWithPublicKey !== true },
    reveals: ['publicKey', 'secretKey'],
  },
  invitation: {
    title: 'form.inviteMember',
    submit: 'form.inviteMember',
    method: 'POST',
    path: '/v0/invitations/create',
    fields: [{ name: 'email', kind: 'email', required: true }, ...MEMBER_FIELDS],
    reveals: ['url'],
  },
};

/** What an offer of a subscription has alone, and what it never has: neither is asked where the API refuses it. */
const PLAN_ONLY = ['recurringInterval', 'recurringIntervalCount', 'trialInterval', 'trialIntervalCount'];
const FREE_ONLY = ['freeProduct'];

export const toOfferFields = (fields: readonly Field[], isSubscription: boolean): readonly Field[] =>
  fields.filter(({ name }) => !(isSubscription ? FREE_ONLY : PLAN_ONLY).includes(name));

/** A form with what the screen that opens it knows: the product of an offer, the plans to choose from. */
export function toForm(name: string, given: Record<string, unknown> = {}): FormDeclaration {
  const form = FORMS[name];
  if (!form) throw new Error(`there is no form "${name}"`);
  if (name === 'test-checkout') return toProcessorPurchase(form, given);
  const productId = typeof given.productId === 'string' ? given.productId : null;
  if (productId === null) return form;
  const plans = rowsOf(given, 'plans');
  const path = form.path.replace('{productId}', productId);
  if (name !== 'offer') return { ...form, path };
  const plan = plans.map((one) => textOf(one, 'id'));
  const own = toOfferFields(form.fields, given.isSubscription === true);
  const fields =
    plan.length > 0
      ? [
          {
            name: 'variantId',
            label: 'column.plan' as const,
            kind: 'choice' as const,
            required: true,
            options: plan,
            optionNames: Object.fromEntries(plans.map((one) => [textOf(one, 'id'), textOf(one, 'name')])),
            initial: plan[0],
          },
          ...own,
        ]
      : own;
  return { ...form, path, fields, toBody: (filled) => ({ productId, ...filled }) };
}
