import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { mergeMetadata, type Params } from '../api/check-params.ts';
import { isInvalid, isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { blankCustomer } from '../objects/blank.ts';
import { readBilling, typeMethod } from '../objects/payment-method.ts';
import { type Account, find, insert, listRows, type Row, save } from '../world/rows.ts';
import { type Call, change, hash, text } from './call.ts';
import { isDebit } from './types.ts';
import { attach, findMethod } from './use-method.ts';

const TOKEN_LIFE_S = 12 * 3600;
const ADDRESS = /^[^\s@]+@[^\s@]+$/;

export function createCustomer({ world, account, params }: Call): Stripe.Customer {
  const customer = insert(world, 'customer', account, blankCustomer(world, account));
  const method = text(params, 'payment_method');
  if (method) attach(world, findMethod(world, account, method, null), customer.data.id);
  describe(world, account, customer.data, params);
  save(world, 'customer', customer);
  emit(world, account, 'customer.created', customer.data);
  return customer.data;
}

export function updateCustomer(call: Call): Stripe.Customer {
  const customer = findCustomer(call);
  describe(call.world, call.account, customer.data, call.params);
  save(call.world, 'customer', customer);
  emit(call.world, call.account, 'customer.updated', customer.data);
  return customer.data;
}

function describe(world: World, account: Account, data: Stripe.Customer, params: Params): void {
  data.address = change(params, 'address', data.address) as Stripe.Address | null;
  data.description = change(params, 'description', data.description);
  data.email = change(params, 'email', data.email);
  if (data.email && !ADDRESS.test(data.email)) {
    throw isInvalid(`Invalid email address: ${data.email}`, 'email', 'email_invalid');
  }
  data.name = change(params, 'name', data.name ?? null);
  data.phone = change(params, 'phone', data.phone ?? null);
  data.shipping = change(params, 'shipping', data.shipping);
  data.metadata = mergeMetadata(data.metadata, params.metadata);
  const settings = hash(params, 'invoice_settings');
  const method = settings ? text(settings, 'default_payment_method') : null;
  if (method) findMethod(world, account, method, data.id, 'invoice_settings[default_payment_method]');
  if (settings?.default_payment_method !== undefined) data.invoice_settings.default_payment_method = method;
}

export function findCustomer({ world, account, ids }: Call): Row<Stripe.Customer> {
  const customer = find(world, 'customer', account, String(ids[0]));
  if (customer.data.deleted !== undefined) {
    throw isRefused(`No such customer: '${ids[0]}'`, { code: 'resource_missing', param: 'id' }, 404);
  }
  return customer;
}

export function getCustomer({ world, account, ids }: Call): object {
  const { data } = find(world, 'customer', account, String(ids[0]));
  return data.deleted === undefined ? data : { id: data.id, object: 'customer', deleted: true };
}

export function deleteCustomer(call: Call): object {
  const { world, account } = call;
  const customer = findCustomer(call);
  for (const row of listRows(world, 'payment_method', account)) {
    if (row.data.customer === customer.data.id) detach(world, account, row);
  }
  emit(world, account, 'customer.deleted', customer.data);
  Object.assign(customer.data, { deleted: true });
  save(world, 'customer', customer);
  return { id: customer.data.id, object: 'customer', deleted: true };
}

export function createMethod(call: Call): Stripe.PaymentMethod {
  const { world, account, params, isPublishable } = call;
  refuseNumbers(params, isPublishable);
  const method = typeMethod(world, account, params, '');
  method.data.metadata = mergeMetadata(null, params.metadata);
  return method.data;
}

/** Card numbers are the browser's to send. */
function refuseNumbers(params: Params, isPublishable: boolean): void {
  if (isPublishable || !hash(params, 'card')?.number) return;
  throw isRefused(
    'Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.',
    {},
    402,
  );
}

export function updateMethod({ world, account, ids, params }: Call): Stripe.PaymentMethod {
  const method = find(world, 'payment_method', account, String(ids[0]));
  if (method.data.customer === null) {
    throw isRefused('You must save this PaymentMethod to a customer before you can update it.');
  }
  method.data.billing_details = readBilling(hash(params, 'billing_details'), method.data.billing_details);
  method.data.metadata = mergeMetadata(method.data.metadata, params.metadata);
  const redisplay = text(params, 'allow_redisplay');
  if (redisplay) method.data.allow_redisplay = redisplay;
  const card = hash(params, 'card');
  if (card && method.data.card) {
    method.data.card.exp_month = Number(card.exp_month ?? method.data.card.exp_month);
    method.data.card.exp_year = Number(card.exp_year ?? method.data.card.exp_year);
  }
  save(world, 'payment_method', method);
  emit(world, account, 'payment_method.updated', method.data);
  return method.data;
}

export function attachMethod({ world, account, ids, params }: Call): Stripe.PaymentMethod {
  const customer = find(world, 'customer', account, String(params.customer), 'customer');
  const method = findMethod(world, account, String(ids[0]), customer.data.id, 'id');
  if (method.data.customer === customer.data.id) return method.data;
  attach(world, method, customer.data.id);
  emit(world, account, 'payment_method.attached', method.data);
  return method.data;
}

export function detachMethod({ world, account, ids }: Call): Stripe.PaymentMethod {
  const method = find(world, 'payment_method', account, String(ids[0]));
  if (method.data.customer === null) {
    throw isRefused(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
    );
  }
  detach(world, account, method);
  return method.data;
}

function detach(world: World, account: Account, method: Row<Stripe.PaymentMethod>): void {
  const previous = { customer: method.data.customer };
  method.data.customer = null;
  method.hidden.isDetached = true;
  save(world, 'payment_method', method);
  emit(world, account, 'payment_method.detached', method.data, previous);
}

/** From the page's field with the publishable key, or by the test helper. */
export function createToken(call: Call): Stripe.ConfirmationToken {
  const { world, account, params } = call;
  const id = text(params, 'payment_method');
  const data = hash(params, 'payment_method_data');
  const method = id
    ? findMethod(
        world,
        account,
        id,
        world.store.get<Row<Stripe.PaymentMethod>>('payment_method', id)?.data.customer as string | null,
      )
    : data
      ? typeMethod(world, account, data, 'payment_method_data')
      : null;
  if (!method)
    throw isRefused('Missing required param: payment_method_data.', {
      code: 'parameter_missing',
      param: 'payment_method_data',
    });
  const { id: _, object: __, created: ___, livemode: ____, metadata: _____, ...preview } = method.data;
  const acceptance = { online: { ip_address: '127.0.0.1', user_agent: 'stand-in' }, type: 'online' };
  const row = insert(
    world,
    'confirmation_token',
    account,
    {
      id: world.id('ctoken'),
      object: 'confirmation_token',
      created: world.now,
      expires_at: world.now + TOKEN_LIFE_S,
      livemode: account.isLive,
      mandate_data: isDebit(method.data.type) ? { customer_acceptance: acceptance } : null,
      metadata: {},
      payment_intent: null,
      payment_method_options: { card: { cvc_token: null } },
      payment_method_preview: structuredClone(preview) as Stripe.ConfirmationToken.PaymentMethodPreview,
      return_url: text(params, 'return_url'),
      setup_future_usage: text(params, 'setup_future_usage'),
      setup_intent: null,
      shipping: hash(params, 'shipping') as unknown as Stripe.ConfirmationToken.Shipping | null,
      use_stripe_sdk: true,
    },
    { paymentMethod: method.data.id },
  );
  return row.data;
}
