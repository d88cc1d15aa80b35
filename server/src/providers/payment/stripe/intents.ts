/**
 * The two objects that a charge can be at Stripe, by one set of calls: a PaymentIntent takes money, a SetupIntent takes
 * a method alone. Each is named in the charge's row before it is confirmed, and ends once: paid or cancelled.
 */
import type Stripe from 'stripe';
import { askByKeys } from './ask-again.ts';
import {
  type Attempt,
  CURRENCY_KEY,
  PAYMENT_EXPANDED,
  SETUP_EXPANDED,
  toAttemptOfPayment,
  toAttemptOfSetup,
} from './attempt.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

export interface NewIntent {
  chargeId: string;
  /** In Stripe's units; null = a method alone is taken. */
  amount: number | null;
  /** As Stripe writes it. */
  currency: string;
  types: readonly string[];
  customer: string | null;
  keepsMethod: boolean;
  metadata: Readonly<Record<string, string>>;
  statementSuffix: string | null;
  sendByRealMs: number;
  /** It is asked for once more, with what the key of before does not stand for. */
  keyPart?: string;
}

export interface Confirming {
  id: string;
  chargeId: string;
  params: Stripe.PaymentIntentConfirmParams & Stripe.SetupIntentConfirmParams;
  sendByRealMs: number;
}

const isSetup = (id: string) => id.startsWith('seti_');

/** Answers the id. The same again finds the same one, as long as Stripe keeps keys; one too many moves nothing. */
export async function createIntent(client: StripeClient, intent: NewIntent): Promise<string> {
  const { chargeId, amount, currency, types, customer, keepsMethod, metadata, statementSuffix } = intent;
  const common = {
    // Stripe knows more words than its client does.
    allowed_payment_method_types: [...types] as Stripe.PaymentIntentCreateParams.AllowedPaymentMethodType[],
    metadata: { ...metadata },
    ...(customer === null ? {} : { customer }),
  };
  const { id } = await askByKeys<{ id: string }>(client, {
    key: intent.keyPart === undefined ? `${chargeId}:p` : `${chargeId}:p:${intent.keyPart}`,
    sendByRealMs: intent.sendByRealMs,
    call: (sdk, options) =>
      amount === null
        ? sdk.setupIntents.create(
            {
              ...common,
              allowed_payment_method_types: [
                ...types,
              ] as Stripe.SetupIntentCreateParams.AllowedPaymentMethodType[],
              usage: 'off_session',
              metadata: { ...metadata, [CURRENCY_KEY]: currency.toUpperCase() },
            },
            options,
          )
        : sdk.paymentIntents.create(
            {
              ...common,
              amount,
              currency,
              capture_method: 'automatic',
              ...(keepsMethod ? { setup_future_usage: 'off_session' as const } : {}),
              ...(statementSuffix === null ? {} : { statement_descriptor_suffix: statementSuffix }),
            },
            options,
          ),
    // Where one was made behind a failure or a lost answer, nobody knows its name.
    look: 'moves nothing',
  });
  return id;
}

/** Null where this account has none of that id. */
export async function readIntent(client: StripeClient, id: string): Promise<Attempt | null> {
  try {
    return await client.ask((sdk, options) => retrieve(sdk, id, options));
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/**
 * Asks for the money, or for the method. What Stripe refuses stands in the object, which is read: the first who asked,
 * or somebody else, may have ended it. Throws StripeFailure where the object shows that nothing was tried.
 */
export async function confirmIntent(client: StripeClient, confirming: Confirming): Promise<Attempt> {
  const { id, chargeId, params, sendByRealMs } = confirming;
  const look = async () => {
    const found = await readIntent(client, id);
    return found && isTried(found) ? found : null;
  };
  try {
    const answered = await askByKeys(client, {
      key: `${chargeId}:c`,
      sendByRealMs,
      look,
      call: async (sdk, options) =>
        isSetup(id)
          ? toAttemptOfSetup(await sdk.setupIntents.confirm(id, { ...params, ...SETUP_EXPANDED }, options))
          : toAttemptOfPayment(
              await sdk.paymentIntents.confirm(id, { ...params, ...PAYMENT_EXPANDED }, options),
            ),
    });
    // What is answered again under a key is how it was then: only the money is there for good.
    return answered.status === 'succeeded' ? answered : ((await readIntent(client, id)) ?? answered);
  } catch (error) {
    if (!(error instanceof StripeFailure) || error.kind === 'too_late') throw error;
    const found = await look();
    if (found) return found;
    throw error;
  }
}

/** Stops it, or finds how it has ended; null where this account has none of that id. */
export async function cancelIntent(client: StripeClient, id: string): Promise<Attempt | null> {
  const look = async () => {
    const found = await readIntent(client, id);
    return found && isEnded(found) ? found : null;
  };
  try {
    return await askByKeys(client, {
      key: `${id}:x`,
      look,
      call: async (sdk, options) =>
        isSetup(id)
          ? toAttemptOfSetup(await sdk.setupIntents.cancel(id, SETUP_EXPANDED, options))
          : toAttemptOfPayment(await sdk.paymentIntents.cancel(id, PAYMENT_EXPANDED, options)),
    });
  } catch (error) {
    if (!(error instanceof StripeFailure) || error.kind === 'locked_out' || error.kind === 'limited')
      throw error;
    const found = await readIntent(client, id);
    // Without a change it is not known whether the call is still on its way.
    if (found && error.kind === 'unknown' && !isEnded(found)) throw error;
    return found;
  }
}

async function retrieve(sdk: Stripe, id: string, options: Stripe.RequestOptions): Promise<Attempt> {
  return isSetup(id)
    ? toAttemptOfSetup(await sdk.setupIntents.retrieve(id, SETUP_EXPANDED, options))
    : toAttemptOfPayment(await sdk.paymentIntents.retrieve(id, PAYMENT_EXPANDED, options));
}

function isEnded({ status }: Attempt): boolean {
  return status === 'succeeded' || status === 'canceled';
}

function isTried({ status, wasTried }: Attempt): boolean {
  return wasTried || (status !== 'requires_payment_method' && status !== 'requires_confirmation');
}
