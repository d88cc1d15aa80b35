/** Rules of Stripe that the stand-in holds to: each is tried through the official client, here and on Stripe itself. */
import Stripe from 'stripe';

export interface Rule {
  says: string;
  /** Where Stripe's documentation says it. */
  page: string;
  /** Throws when it does not hold. */
  try: (stripe: Stripe) => Promise<void>;
}

export const CARD = { allowed_payment_method_types: ['card'], currency: 'eur' };

export function same(found: unknown, wanted: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) throw new Error(`${one}, not ${other}`);
}

export interface Refused {
  status?: number;
  type?: string;
  code?: string;
  decline_code?: string;
  param?: string;
}

/** The error that the call must end with: what is named of it must be so. */
export async function refused(call: Promise<unknown>, wanted: Refused): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Stripe.errors.StripeError)) throw new Error(`not refused: ${String(error)}`);
  const raw = error.raw as Record<string, unknown>;
  const found: Record<string, unknown> = { ...raw, status: error.statusCode };
  for (const [name, value] of Object.entries(wanted)) same(found[name], value);
  return error;
}

/** Parameters that the types forbid, to see them refused. */
export function wrong<T>(params: object): T {
  return params as T;
}

export function pay(stripe: Stripe, method: string, more: object = {}): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    amount: 1000,
    ...CARD,
    confirm: true,
    payment_method: method,
    ...more,
  });
}

export function open(stripe: Stripe, more: object = {}): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({ amount: 1000, ...CARD, ...more });
}
