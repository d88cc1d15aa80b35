/** What a submitted form pays with. */
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { checkCard } from '../domain/checkout/card.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import type { Session } from '../flows/checkout/open-checkout.ts';
import { quoteSession, type ShowingPage, toScope } from '../flows/checkout/show-checkout.ts';
import { listOffered } from '../flows/payments/choose-connection.ts';
import type { Cart } from '../flows/pricing/quote-cart.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import type { SubmitBody } from '../resources/checkouts/checkouts.schema.ts';

interface Typed {
  body: Static<typeof SubmitBody>;
  cart: Cart;
  form: BuyerForm;
  page: ShowingPage;
}

/** Throws card_invalid, invalid_input, and processor_not_configured for a token where no fields are shown. */
export async function readMethod(ctx: Context, session: Session, typed: Typed): Promise<ChargeMethod | null> {
  const { payment } = typed.body;
  if (payment?.option !== 'token') return toMethod(typed.body, ctx.nowMs);
  if (payment.token === undefined) throw invalidField('payment.token', 'is missing');
  return {
    kind: 'token',
    reference: payment.token,
    types: await listTypes(ctx, session, typed),
    isInPage: true,
  };
}

/** As they were offered to this page: the processor takes a token by the very same list alone. */
async function listTypes(
  ctx: Context,
  session: Session,
  { body, cart, form, page }: Typed,
): Promise<readonly string[]> {
  const quote = await quoteSession(ctx, session, { cart, form });
  const offering = { cart, quote, country: form.countryCode, page };
  const { fields } = await listOffered(ctx, toScope(session), offering);
  if (!fields) throw new Refusal('processor_not_configured');
  return body.keepMethod ? fields.keptTypes : fields.types;
}

function toMethod({ card, payment }: Static<typeof SubmitBody>, nowMs: number): ChargeMethod | null {
  if (payment?.option === 'transfer' || payment?.option === 'redirect') return { kind: payment.option };
  if (!card) return null;
  const typed = { number: card.number, expiry: card.expiry, cvc: card.cvc, name: card.name ?? null };
  const issues = checkCard(typed, nowMs);
  const [first] = issues;
  if (first)
    throw new Refusal('card_invalid', { message: `${first.path} ${first.message}`, details: issues });
  return { kind: 'card', number: card.number, expiry: card.expiry, cvc: card.cvc, holder: card.name ?? null };
}
