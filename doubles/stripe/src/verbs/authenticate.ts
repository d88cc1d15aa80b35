/** Authentication by the buyer: 3-D Secure in a frame, or the bank's own page. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { emit } from '../events/emit.ts';
import type { Refusal, TestMethod } from '../methods/test-method.ts';
import { accountOf, find, type Row, save } from '../world/rows.ts';
import { finishSetup, refuseSetup } from './set-up.ts';
import { refuse, take } from './take.ts';
import { isRedirect } from './types.ts';
import { toTest } from './use-method.ts';

export type AnyIntent = Row<Stripe.PaymentIntent> | Row<Stripe.SetupIntent>;

export const DECLINED: Refusal = { code: 'card_declined', decline: 'generic_decline' };

/** Whether the buyer must authenticate before this card is charged or saved. */
export function needsAuthentication(test: TestMethod, isOffSession: boolean, isSetUp: boolean): boolean {
  if (test.authentication === 'always') return true;
  if (test.authentication === 'onSession') return !isOffSession;
  if (test.authentication === 'unlessSetUp') return !(isOffSession && isSetUp);
  return false;
}

/** What the page is to do next. */
export function askBuyer(
  world: World,
  intent: AnyIntent,
  method: Row<Stripe.PaymentMethod>,
  how: { returnUrl: string | null; useSdk: boolean },
): void {
  const { data } = intent;
  const secret = String(data.client_secret);
  const url = `${world.publicUrl}/authenticate/${data.id}?client_secret=${secret}`;
  data.status = 'requires_action';
  data.payment_method = method.data.id;
  const isInPage = how.useSdk && !isRedirect(method.data.type);
  data.next_action =
    isInPage || (how.returnUrl === null && !isRedirect(method.data.type))
      ? ({
          type: 'use_stripe_sdk',
          use_stripe_sdk: {
            type: 'three_d_secure_redirect',
            stripe_js: url,
            source: `src_${secret.slice(-24)}`,
          },
        } as Stripe.PaymentIntent.NextAction)
      : { redirect_to_url: { return_url: how.returnUrl, url }, type: 'redirect_to_url' };
  intent.hidden.returnUrl = how.returnUrl;
  intent.hidden.method = method.data.id;
  if (data.object === 'payment_intent') save(world, 'payment_intent', intent as Row<Stripe.PaymentIntent>);
  else save(world, 'setup_intent', intent as Row<Stripe.SetupIntent>);
  emit(world, accountOf(world, intent), `${data.object}.requires_action`, data);
}

/** The buyer's answer on the page. */
export function authenticate(world: World, intent: AnyIntent, isPassed: boolean): void {
  if (intent.data.status !== 'requires_action') return;
  const account = accountOf(world, intent);
  const method = find(world, 'payment_method', account, String(intent.data.payment_method));
  intent.data.next_action = null;
  if (intent.data.object === 'setup_intent') {
    const setup = intent as Row<Stripe.SetupIntent>;
    if (isPassed) finishSetup(world, setup, method);
    else refuseSetup(world, setup, method, { code: 'setup_intent_authentication_failure' });
    return;
  }
  const payment = intent as Row<Stripe.PaymentIntent>;
  if (!isPassed) {
    refuse(world, payment, method, { code: 'payment_intent_authentication_failure' }, { hasCharge: false });
  }
  endAuthenticated(world, payment, method);
}

function endAuthenticated(
  world: World,
  intent: Row<Stripe.PaymentIntent>,
  method: Row<Stripe.PaymentMethod>,
): void {
  const { afterAuthentication } = toTest(method);
  const how = { wasAuthenticated: true };
  if (afterAuthentication === 'insufficient_funds') {
    refuse(world, intent, method, { code: 'card_declined', decline: 'insufficient_funds' }, how);
  }
  if (afterAuthentication === 'declined') refuse(world, intent, method, DECLINED, how);
  take(world, intent, method, true);
}
