/** The payment method that a confirmation names, in each of its four ways. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import type { Params } from '../api/check-params.ts';
import { isDeclined, isInvalid, isRefused } from '../api/errors.ts';
import { findByName, findByNumber } from '../methods/find-method.ts';
import type { TestMethod } from '../methods/test-method.ts';
import { addMethod, typeMethod, untyped } from '../objects/payment-method.ts';
import { toRefusal } from '../objects/refusal.ts';
import { type Account, find, type Row, save } from '../world/rows.ts';
import { hash, text } from './call.ts';

const TOKEN_LIFE_S = 12 * 3600;

export interface Chosen {
  method: Row<Stripe.PaymentMethod>;
  token: Row<Stripe.ConfirmationToken> | null;
}

/** Null when none is named. */
export function chooseMethod(
  world: World,
  account: Account,
  params: Params,
  customer: string | null,
): Chosen | null {
  const named = ['confirmation_token', 'payment_method', 'payment_method_data'].filter(
    (name) => params[name] !== undefined,
  );
  if (named.includes('confirmation_token') && named.length > 1) {
    throw isInvalid(`You may only specify one of these parameters: ${named.join(', ')}.`, named[1]);
  }
  const token = text(params, 'confirmation_token');
  if (token) return useToken(world, account, token, customer);
  const data = hash(params, 'payment_method_data');
  if (data) return { method: typeMethod(world, account, data, 'payment_method_data'), token: null };
  const id = text(params, 'payment_method');
  return id ? { method: findMethod(world, account, id, customer), token: null } : null;
}

/** By its id, or by the name of a test method, which makes a new one each time. */
export function findMethod(
  world: World,
  account: Account,
  id: string,
  customer: string | null,
  param = 'payment_method',
): Row<Stripe.PaymentMethod> {
  const test = account.isLive ? undefined : findByName(id);
  if (test && id.startsWith('pm_')) return addMethod(world, account, test, untyped(world));
  const row = find(world, 'payment_method', account, id, param);
  const owner = row.data.customer;
  if (owner !== null && owner !== customer) {
    throw isRefused(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param },
    );
  }
  if (owner === null && (row.hidden.isUsed || row.hidden.isDetached)) {
    throw isRefused(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      { param },
    );
  }
  return row;
}

function useToken(world: World, account: Account, id: string, customer: string | null): Chosen {
  const token = find(world, 'confirmation_token', account, id, 'confirmation_token');
  if (token.hidden.isUsed) {
    throw isRefused(
      `The provided ConfirmationToken (${id}) has already been used. Create a new ConfirmationToken and try again.`,
      { code: 'confirmation_token_already_used', param: 'confirmation_token' },
    );
  }
  if (world.now >= token.data.created + TOKEN_LIFE_S) {
    throw isRefused(
      `The provided ConfirmationToken (${id}) has expired. Create a new ConfirmationToken and try again.`,
      { code: 'confirmation_token_expired', param: 'confirmation_token' },
    );
  }
  const method = findMethod(world, account, token.hidden.paymentMethod ?? '', customer, 'confirmation_token');
  return { method, token };
}

/** A token is used up by the confirmation that takes it, whatever becomes of it. */
export function useUp(world: World, chosen: Chosen, intent: { payment?: string; setup?: string }): void {
  const { token } = chosen;
  if (!token) return;
  token.hidden.isUsed = true;
  token.data.payment_intent = intent.payment ?? null;
  token.data.setup_intent = intent.setup ?? null;
  save(world, 'confirmation_token', token);
}

export function toTest(row: Row<Stripe.PaymentMethod>): TestMethod {
  const type = row.data.type as TestMethod['type'];
  return findByName(row.hidden.test ?? '') ?? findByNumber(type, row.hidden.secret ?? '');
}

/** Saves a method with a customer; the cards that are always refused cannot be. */
export function attach(world: World, row: Row<Stripe.PaymentMethod>, customer: string): void {
  const test = toTest(row);
  if (test.isRefusedBySetup && test.refusal) throw isDeclined(toRefusal(test.refusal));
  row.data.customer = customer;
  save(world, 'payment_method', row);
}
