import type Stripe from 'stripe';
import { mergeMetadata } from '../api/check-params.ts';
import { isInvalid, isOfWrongState, isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { blankSetup } from '../objects/blank.ts';
import { find, insert, type Row, save } from '../world/rows.ts';
import { askBuyer, needsAuthentication } from './authenticate.ts';
import { type Call, change, text } from './call.ts';
import { needMandate } from './mandates.ts';
import { checkSecret } from './payment-intents.ts';
import { finishSetup, refuseSetup } from './set-up.ts';
import { chooseTypes, isRedirect, readCustomer } from './types.ts';
import { type Chosen, chooseMethod, toTest, useUp } from './use-method.ts';

type Setup = Row<Stripe.SetupIntent>;

const WITH_CONFIRM = ['confirmation_token', 'mandate_data', 'return_url', 'use_stripe_sdk'];

export function createSetup(call: Call): Stripe.SetupIntent {
  const { world, account, params } = call;
  const isConfirmed = params.confirm === true;
  const stray = WITH_CONFIRM.find((field) => params[field] !== undefined);
  if (stray && !isConfirmed) {
    throw isInvalid(
      `The parameter \`${stray}\` cannot be passed when creating a SetupIntent unless \`confirm\` is set to true.`,
      stray,
    );
  }
  const customer = readCustomer(world, account, params);
  const types = chooseTypes(world, account, params, { amount: 0, currency: null, isSaved: true });
  const chosen = chooseMethod(world, account, params, customer);
  const setup = insert(world, 'setup_intent', account, {
    ...blankSetup(world, account),
    ...types,
    customer,
    description: text(params, 'description'),
    metadata: mergeMetadata(null, params.metadata),
    usage: text(params, 'usage') ?? 'off_session',
  });
  if (chosen) {
    setup.data.payment_method = chosen.method.data.id;
    setup.data.status = 'requires_confirmation';
  }
  emit(world, account, 'setup_intent.created', setup.data);
  if (isConfirmed) confirm(call, setup, chosen);
  return setup.data;
}

export function updateSetup(call: Call): Stripe.SetupIntent {
  const { world, account, params } = call;
  const setup = findSetup(call);
  const { data } = setup;
  if (data.status === 'canceled' || (data.status === 'succeeded' && params.payment_method !== undefined)) {
    throw isUnexpected('update', data);
  }
  if (params.customer !== undefined) data.customer = readCustomer(world, account, params);
  data.description = change(params, 'description', data.description);
  data.metadata = mergeMetadata(data.metadata, params.metadata);
  const chosen = chooseMethod(world, account, params, data.customer as string | null);
  if (chosen) {
    data.payment_method = chosen.method.data.id;
    data.status = 'requires_confirmation';
  }
  save(world, 'setup_intent', setup);
  return data;
}

export function confirmSetup(call: Call): Stripe.SetupIntent {
  const { world, account, params } = call;
  const setup = findSetup(call);
  const { data } = setup;
  if (!['requires_action', 'requires_confirmation', 'requires_payment_method'].includes(data.status)) {
    throw isUnexpected('confirm', data);
  }
  const given = { payment_method: data.payment_method ?? undefined, ...params };
  if (params.confirmation_token !== undefined || params.payment_method_data !== undefined)
    delete given.payment_method;
  confirm(call, setup, chooseMethod(world, account, given, data.customer as string | null));
  return data;
}

function confirm(call: Call, setup: Setup, chosen: Chosen | null): void {
  const { world, account, params } = call;
  const { data } = setup;
  if (!chosen) {
    const message =
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.";
    throw isOfWrongState('setup_intent', message, structuredClone(data));
  }
  const { method, token } = chosen;
  if (!data.payment_method_types.includes(method.data.type)) {
    throw isRefused(`The PaymentMethod provided (${method.data.type}) is not allowed for this SetupIntent.`, {
      code: 'payment_intent_incompatible_payment_method',
      param: 'payment_method',
    });
  }
  const returnUrl = text(params, 'return_url') ?? token?.data.return_url ?? null;
  if (isRedirect(method.data.type) && returnUrl === null) {
    throw isRefused('A `return_url` must be specified because this payment method requires a redirect.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
  }
  needMandate(world, account, method, params, token);
  useUp(world, chosen, { setup: data.id });
  const test = toTest(method);
  if (test.isBlocked) refuseSetup(world, setup, method, { code: 'card_declined', decline: 'fraudulent' });
  if (test.isRefusedBySetup && test.refusal) refuseSetup(world, setup, method, test.refusal);
  const isSetUp = method.hidden.isSetUp === true;
  const useSdk = call.isPublishable || params.use_stripe_sdk === true || token?.data.use_stripe_sdk === true;
  const isAlreadySetUp = test.authentication === 'onSession';
  if (isRedirect(test.type) || (!isAlreadySetUp && needsAuthentication(test, false, isSetUp))) {
    askBuyer(world, setup, method, { returnUrl, useSdk });
  } else finishSetup(world, setup, method);
}

export function cancelSetup(call: Call): Stripe.SetupIntent {
  const { world, account, params } = call;
  const setup = findSetup(call);
  const { data } = setup;
  if (['canceled', 'processing', 'succeeded'].includes(data.status)) throw isUnexpected('cancel', data);
  data.status = 'canceled';
  data.next_action = null;
  data.cancellation_reason = text(
    params,
    'cancellation_reason',
  ) as Stripe.SetupIntent.CancellationReason | null;
  save(world, 'setup_intent', setup);
  emit(world, account, 'setup_intent.canceled', data);
  return data;
}

function isUnexpected(verb: string, data: Stripe.SetupIntent): Error {
  const message = `You cannot ${verb} this SetupIntent because it has a status of ${data.status}.`;
  return isOfWrongState('setup_intent', message, structuredClone(data));
}

export function getSetup(call: Call): Stripe.SetupIntent {
  return findSetup(call).data;
}

function findSetup({ world, account, ids, params, isPublishable }: Call): Setup {
  const setup = find(world, 'setup_intent', account, String(ids[0]));
  checkSecret('SetupIntent', setup.data.client_secret, params, isPublishable);
  return setup;
}
