/** Every call that the stand-in answers; whatever is not here is unknown. */
import { matchPath } from '../../../core/match-path.ts';
import type { Shape } from '../params/shape.ts';
import * as ofAccount from '../verbs/account.ts';
import type { Call } from '../verbs/call.ts';
import * as ofCustomers from '../verbs/customers.ts';
import * as ofDisputes from '../verbs/disputes.ts';
import * as ofPayments from '../verbs/payment-intents.ts';
import * as ofRefunds from '../verbs/refunds.ts';
import * as ofSetups from '../verbs/setup-intents.ts';
import { find, type Kind, save } from '../world/rows.ts';
import { mergeMetadata } from './check-params.ts';
import { isInvalid } from './errors.ts';
import { type ListOf, search, toPage } from './lists.ts';

export interface Route {
  method: 'DELETE' | 'GET' | 'POST';
  /** A star stands for an id. */
  path: string;
  /** The parameters, by the client's name; empty = none. */
  params: string;
  run: (call: Call) => object;
  /** May be called with the publishable key. */
  isOpen?: boolean;
  more?: Readonly<Record<string, Shape>>;
}

/** Of events that one list is of. */
const TYPES_MAX = 20;
const TEXT: Shape = { is: 'string' };
const SECRET = { client_secret: TEXT };
const TYPED: Readonly<Record<string, Shape>> = { payment_method_data: { is: 'any' } };
const CARD: Readonly<Record<string, Shape>> = { card: { is: 'any' } };

function list(path: string, params: string, of: ListOf): Route {
  const run = (call: Call): object => toPage(call.world, call.account, of, call.params, path);
  return { method: 'GET', path, params, run };
}

function one(path: string, params: string, kind: Kind): Route {
  const run = ({ world, account, ids }: Call): object => find(world, kind, account, String(ids[0])).data;
  return { method: 'GET', path, params, run };
}

function found(path: string, params: string, kind: Kind): Route {
  const run = (call: Call): object => search(call.world, call.account, kind, call.params, path);
  return { method: 'GET', path, params, run };
}

function post(path: string, params: string, run: Route['run'], more: Partial<Route> = {}): Route {
  return { method: 'POST', path, params, run, ...more };
}

/** By one type, which may end in a star, or by some. */
function listEvents({ world, account, params }: Call): object {
  const { type, types } = params;
  if (type !== undefined && types !== undefined) {
    throw isInvalid('You may only specify one of these parameters: type, types.', 'types');
  }
  if (Array.isArray(types) && types.length > TYPES_MAX) {
    throw isInvalid(`You may specify at most ${TYPES_MAX} types.`, 'types');
  }
  const of: ListOf = { kind: 'event', filters: { type: 'type', types: 'type' } };
  return toPage(world, account, of, params, '/v1/events');
}

const OPEN = { isOpen: true, more: SECRET };
const CUSTOMER = { customer: 'customer' };

export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/v1/account', params: 'AccountRetrieveParams', run: ofAccount.getAccount },
  { method: 'GET', path: '/v1/accounts/*', params: 'AccountRetrieveParams', run: ofAccount.getOwnAccount },
  { method: 'GET', path: '/v1/balance', params: 'BalanceRetrieveParams', run: ofAccount.getBalance },
  list('/v1/balance_transactions', 'BalanceTransactionListParams', {
    kind: 'balance_transaction',
    filters: { currency: 'currency', source: 'source', type: 'type' },
  }),
  one('/v1/balance_transactions/*', 'BalanceTransactionRetrieveParams', 'balance_transaction'),
  list('/v1/charges', 'ChargeListParams', {
    kind: 'charge',
    filters: { ...CUSTOMER, payment_intent: 'payment_intent' },
  }),
  found('/v1/charges/search', 'ChargeSearchParams', 'charge'),
  one('/v1/charges/*', 'ChargeRetrieveParams', 'charge'),
  post('/v1/charges/*', 'ChargeUpdateParams', updateCharge),
  post('/v1/confirmation_tokens', 'ConfirmationTokenCreateParams', ofCustomers.createToken, {
    isOpen: true,
    more: TYPED,
  }),
  one('/v1/confirmation_tokens/*', 'ConfirmationTokenRetrieveParams', 'confirmation_token'),
  post('/v1/test_helpers/confirmation_tokens', 'ConfirmationTokenCreateParams', ofCustomers.createToken),
  post('/v1/customers', 'CustomerCreateParams', ofCustomers.createCustomer),
  list('/v1/customers', 'CustomerListParams', { kind: 'customer', filters: { email: 'email' } }),
  found('/v1/customers/search', 'CustomerSearchParams', 'customer'),
  { method: 'GET', path: '/v1/customers/*', params: 'CustomerRetrieveParams', run: ofCustomers.getCustomer },
  post('/v1/customers/*', 'CustomerUpdateParams', ofCustomers.updateCustomer),
  { method: 'DELETE', path: '/v1/customers/*', params: '', run: ofCustomers.deleteCustomer },
  {
    method: 'GET',
    path: '/v1/customers/*/payment_methods',
    params: 'CustomerListPaymentMethodsParams',
    run: listMethods,
  },
  {
    method: 'GET',
    path: '/v1/customers/*/payment_methods/*',
    params: 'PaymentMethodRetrieveParams',
    run: getMethod,
  },
  list('/v1/disputes', 'DisputeListParams', {
    kind: 'dispute',
    filters: { charge: 'charge', payment_intent: 'payment_intent' },
  }),
  one('/v1/disputes/*', 'DisputeRetrieveParams', 'dispute'),
  post('/v1/disputes/*', 'DisputeUpdateParams', ofDisputes.updateDispute),
  post('/v1/disputes/*/close', 'DisputeCloseParams', ofDisputes.closeDispute),
  { method: 'GET', path: '/v1/events', params: 'EventListParams', run: listEvents },
  one('/v1/events/*', 'EventRetrieveParams', 'event'),
  one('/v1/mandates/*', 'MandateRetrieveParams', 'mandate'),
  post('/v1/payment_intents', 'PaymentIntentCreateParams', ofPayments.createPayment),
  list('/v1/payment_intents', 'PaymentIntentListParams', { kind: 'payment_intent', filters: CUSTOMER }),
  found('/v1/payment_intents/search', 'PaymentIntentSearchParams', 'payment_intent'),
  {
    method: 'GET',
    path: '/v1/payment_intents/*',
    params: 'PaymentIntentRetrieveParams',
    run: ofPayments.getPayment,
    ...OPEN,
  },
  post('/v1/payment_intents/*', 'PaymentIntentUpdateParams', ofPayments.updatePayment),
  post('/v1/payment_intents/*/confirm', 'PaymentIntentConfirmParams', ofPayments.confirmPayment, {
    isOpen: true,
    more: { ...SECRET, ...TYPED },
  }),
  post('/v1/payment_intents/*/cancel', 'PaymentIntentCancelParams', ofPayments.cancelPayment),
  post(
    '/v1/payment_method_configurations',
    'PaymentMethodConfigurationCreateParams',
    ofAccount.createConfiguration,
  ),
  list('/v1/payment_method_configurations', 'PaymentMethodConfigurationListParams', {
    kind: 'payment_method_configuration',
  }),
  one(
    '/v1/payment_method_configurations/*',
    'PaymentMethodConfigurationRetrieveParams',
    'payment_method_configuration',
  ),
  post(
    '/v1/payment_method_configurations/*',
    'PaymentMethodConfigurationUpdateParams',
    ofAccount.updateConfiguration,
  ),
  post('/v1/payment_method_domains', 'PaymentMethodDomainCreateParams', ofAccount.createDomain),
  list('/v1/payment_method_domains', 'PaymentMethodDomainListParams', {
    kind: 'payment_method_domain',
    filters: { domain_name: 'domain_name', enabled: 'enabled' },
  }),
  one('/v1/payment_method_domains/*', 'PaymentMethodDomainRetrieveParams', 'payment_method_domain'),
  post('/v1/payment_method_domains/*', 'PaymentMethodDomainUpdateParams', ofAccount.updateDomain),
  post(
    '/v1/payment_method_domains/*/validate',
    'PaymentMethodDomainValidateParams',
    ofAccount.validateDomain,
  ),
  post('/v1/payment_methods', 'PaymentMethodCreateParams', ofCustomers.createMethod, {
    isOpen: true,
    more: CARD,
  }),
  list('/v1/payment_methods', 'PaymentMethodListParams', {
    kind: 'payment_method',
    filters: { ...CUSTOMER, type: 'type' },
  }),
  one('/v1/payment_methods/*', 'PaymentMethodRetrieveParams', 'payment_method'),
  post('/v1/payment_methods/*', 'PaymentMethodUpdateParams', ofCustomers.updateMethod),
  post('/v1/payment_methods/*/attach', 'PaymentMethodAttachParams', ofCustomers.attachMethod),
  post('/v1/payment_methods/*/detach', 'PaymentMethodDetachParams', ofCustomers.detachMethod),
  list('/v1/payouts', 'PayoutListParams', { kind: 'payout', filters: { status: 'status' } }),
  one('/v1/payouts/*', 'PayoutRetrieveParams', 'payout'),
  list('/v1/radar/early_fraud_warnings', 'EarlyFraudWarningListParams', {
    kind: 'early_fraud_warning',
    filters: { charge: 'charge', payment_intent: 'payment_intent' },
  }),
  one('/v1/radar/early_fraud_warnings/*', 'EarlyFraudWarningRetrieveParams', 'early_fraud_warning'),
  post('/v1/refunds', 'RefundCreateParams', ofRefunds.createRefund),
  list('/v1/refunds', 'RefundListParams', {
    kind: 'refund',
    filters: { charge: 'charge', payment_intent: 'payment_intent' },
  }),
  one('/v1/refunds/*', 'RefundRetrieveParams', 'refund'),
  post('/v1/refunds/*', 'RefundUpdateParams', ofRefunds.updateRefund),
  post('/v1/refunds/*/cancel', 'RefundCancelParams', ofRefunds.cancelRefund),
  post('/v1/setup_intents', 'SetupIntentCreateParams', ofSetups.createSetup),
  list('/v1/setup_intents', 'SetupIntentListParams', {
    kind: 'setup_intent',
    filters: { ...CUSTOMER, payment_method: 'payment_method' },
  }),
  {
    method: 'GET',
    path: '/v1/setup_intents/*',
    params: 'SetupIntentRetrieveParams',
    run: ofSetups.getSetup,
    ...OPEN,
  },
  post('/v1/setup_intents/*', 'SetupIntentUpdateParams', ofSetups.updateSetup),
  post('/v1/setup_intents/*/confirm', 'SetupIntentConfirmParams', ofSetups.confirmSetup, {
    isOpen: true,
    more: { ...SECRET, ...TYPED },
  }),
  post('/v1/setup_intents/*/cancel', 'SetupIntentCancelParams', ofSetups.cancelSetup),
  post('/v1/webhook_endpoints', 'WebhookEndpointCreateParams', ofAccount.createEndpoint),
  list('/v1/webhook_endpoints', 'WebhookEndpointListParams', { kind: 'webhook_endpoint' }),
  one('/v1/webhook_endpoints/*', 'WebhookEndpointRetrieveParams', 'webhook_endpoint'),
  post('/v1/webhook_endpoints/*', 'WebhookEndpointUpdateParams', ofAccount.updateEndpoint),
  { method: 'DELETE', path: '/v1/webhook_endpoints/*', params: '', run: ofAccount.deleteEndpoint },
];

function updateCharge({ world, account, ids, params }: Call): object {
  const charge = find(world, 'charge', account, String(ids[0]));
  charge.data.metadata = mergeMetadata(charge.data.metadata, params.metadata);
  if (params.description !== undefined) charge.data.description = String(params.description) || null;
  save(world, 'charge', charge);
  return charge.data;
}

function listMethods(call: Call): object {
  const { data } = ofCustomers.findCustomer(call);
  const of: ListOf = { kind: 'payment_method', filters: { customer: 'customer', type: 'type' } };
  const params = { ...call.params, customer: data.id };
  return toPage(call.world, call.account, of, params, `/v1/customers/${data.id}/payment_methods`);
}

function getMethod(call: Call): object {
  ofCustomers.findCustomer(call);
  return find(call.world, 'payment_method', call.account, String(call.ids[1])).data;
}

/** Named paths come before those with a star. */
const ORDERED = [...ROUTES].sort(
  (route, other) => Number(route.path.includes('*')) - Number(other.path.includes('*')),
);

export function findRoute(method: string, path: string): { route: Route; ids: string[] } | null {
  for (const route of ORDERED) {
    if (route.method !== method) continue;
    const ids = matchPath(route.path, path);
    if (ids) return { route, ids };
  }
  return null;
}
