import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import type { Params } from '../api/check-params.ts';
import { isRefused } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import { type Account, accountOf, insert, look, type Row, save } from '../world/rows.ts';
import { hash } from './call.ts';
import { isDebit } from './types.ts';
import { toTest } from './use-method.ts';

/** The mandate of a bank debit: the one that the method has, or a new one from what the buyer accepted. */
export function needMandate(
  world: World,
  account: Account,
  method: Row<Stripe.PaymentMethod>,
  params: Params,
  token: Row<Stripe.ConfirmationToken> | null,
): string | null {
  if (!isDebit(method.data.type)) return null;
  const known = method.hidden.mandate ? look(world, 'mandate', account, method.hidden.mandate) : null;
  if (known?.data.status === 'inactive') {
    throw isRefused('The mandate of this payment method is not active.', {
      code: 'payment_intent_mandate_invalid',
      param: 'payment_method',
    });
  }
  if (known) return known.data.id;
  const given = hash(params, 'mandate_data') ?? (token ? { customer_acceptance: { type: 'online' } } : null);
  if (!given) {
    throw isRefused(
      `You must provide \`mandate_data\` or a payment method with a mandate to confirm with ${method.data.type}.`,
      { code: 'payment_intent_mandate_invalid', param: 'mandate_data' },
    );
  }
  return addMandate(world, account, method, given);
}

export function addMandate(
  world: World,
  account: Account,
  method: Row<Stripe.PaymentMethod>,
  given: Params,
): string {
  const acceptance = hash(given, 'customer_acceptance') ?? {};
  const online = hash(acceptance, 'online');
  const type = acceptance.type === 'offline' ? 'offline' : 'online';
  const id = world.id('mandate');
  const isBacs = method.data.type === 'bacs_debit';
  const reference = world.digest(`mandate ${id}`, 16).toUpperCase();
  const url = `https://payments.stripe.com/mandates/${id}`;
  insert(world, 'mandate', account, {
    id,
    object: 'mandate',
    customer_acceptance: {
      accepted_at: world.now,
      ...(type === 'offline'
        ? { offline: {} }
        : {
            online: {
              ip_address: online ? String(online.ip_address ?? '') : '127.0.0.1',
              user_agent: online ? String(online.user_agent ?? '') : 'stand-in',
            },
          }),
      type,
    },
    livemode: account.isLive,
    multi_use: {},
    payment_method: method.data.id,
    payment_method_details: isBacs
      ? {
          bacs_debit: {
            display_name: null,
            network_status: 'accepted',
            reference,
            revocation_reason: null,
            service_user_number: null,
            url,
          },
          type: 'bacs_debit',
        }
      : { sepa_debit: { reference, url }, type: 'sepa_debit' },
    status: 'active',
    type: 'multi_use',
  });
  method.hidden.mandate = id;
  save(world, 'payment_method', method);
  if (toTest(method).mandateIsRefused) endMandate(world, id);
  return id;
}

export function endMandate(world: World, id: string): void {
  const row = world.store.get<Row<Stripe.Mandate>>('mandate', id);
  if (!row || row.data.status === 'inactive') return;
  row.data.status = 'inactive';
  save(world, 'mandate', row);
  emit(world, accountOf(world, row), 'mandate.updated', row.data, { status: 'active' });
}
