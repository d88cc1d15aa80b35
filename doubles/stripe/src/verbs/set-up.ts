/** What becomes of a setup intent once it is confirmed. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { isDeclined } from '../api/errors.ts';
import { emit } from '../events/emit.ts';
import type { Refusal } from '../methods/test-method.ts';
import { toRefusal } from '../objects/refusal.ts';
import { accountOf, type Row, save } from '../world/rows.ts';
import { generateDebit } from './take.ts';
import { attach } from './use-method.ts';

type Setup = Row<Stripe.SetupIntent>;
type Method = Row<Stripe.PaymentMethod>;

export function finishSetup(world: World, setup: Setup, method: Method): void {
  const account = accountOf(world, setup);
  const { data } = setup;
  data.status = 'succeeded';
  data.next_action = null;
  data.last_setup_error = null;
  data.payment_method = method.data.id;
  data.mandate = method.hidden.mandate ?? null;
  method.hidden.isSetUp = true;
  if (data.customer !== null) {
    const customer = String(data.customer);
    const debit = generateDebit(world, account, method, null, customer);
    if (debit) data.payment_method = debit.data.id;
    else if (method.data.customer === null) {
      attach(world, method, customer);
      emit(world, account, 'payment_method.attached', method.data);
    }
  }
  save(world, 'payment_method', method);
  save(world, 'setup_intent', setup);
  emit(world, account, 'setup_intent.succeeded', data);
}

export function refuseSetup(world: World, setup: Setup, method: Method, refusal: Refusal): never {
  const { data } = setup;
  const body = toRefusal(refusal);
  data.status = 'requires_payment_method';
  data.payment_method = null;
  data.next_action = null;
  const { payment_intent: _, setup_intent: __, ...error } = body;
  data.last_setup_error = {
    ...error,
    payment_method: structuredClone(method.data),
    type: 'card_error',
  } as Stripe.SetupIntent.LastSetupError;
  save(world, 'setup_intent', setup);
  emit(world, accountOf(world, setup), 'setup_intent.setup_failed', data);
  throw isDeclined({
    ...body,
    setup_intent: structuredClone(data),
    payment_method: structuredClone(method.data),
  });
}
