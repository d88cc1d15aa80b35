/** A checkout that the merchant prepares for one buyer: what stands in it nobody can forge, since its address says nothing. */
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { type BuyerForm, EMPTY_FORM, type Quantities, withDetails } from '../../domain/checkout/buyer.ts';
import type { LockedField } from '../../domain/checkout/locked-fields.ts';
import { isCountry } from '../../domain/countries.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField, notFound, Refusal } from '../../domain/errors.ts';
import { isWithinSources } from '../../domain/frame-sources.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { isReturnUrl } from '../../domain/return-url.ts';
import { findElementCart } from '../../resources/checkouts/checkouts.queries.ts';
import type { CreateCheckoutSession } from '../../resources/checkouts/merchant-sessions.schema.ts';
import { findDiscountByCode } from '../../resources/discounts/discounts.queries.ts';
import { type Cart, loadCart } from '../pricing/quote-cart.ts';
import { draftSession, insertDraft, type Session } from './open-checkout.ts';

type Input = Static<typeof CreateCheckoutSession>;

const MINUTE_MS = 60_000;

export interface Preparing {
  tx: Tx;
  input: Input;
  /** Whom it is for, where the merchant named a user. */
  user: Row<'users'> | null;
}

export async function createSession(
  ctx: Context,
  scope: Scope,
  { tx, input, user }: Preparing,
): Promise<Session> {
  const { elementId = null, offersIds = [], lock = [] } = input;
  // Names of fields, which no schema brings to one spelling.
  const counts = Object.entries(input.quantities ?? {}).map(([id, count]) => [id.toLowerCase(), count]);
  const quantities: Quantities = Object.fromEntries(counts);
  if ((elementId === null) === (offersIds.length === 0))
    throw invalidField('offersIds', 'or elementId is required, not both');
  const cart = await loadCart(tx, scope, {
    offerIds: elementId === null ? offersIds : await listElementOffers(tx, scope, elementId),
    quantity: null,
    quantities,
    quantityBy: 'merchant',
  });
  checkAddresses(input, { scope, cart });
  const form = toForm(input, { user, cart });
  checkLocks(lock, form);
  if (form.discountCode !== null && !(await findDiscountByCode(tx, scope, form.discountCode)))
    throw new Refusal('discount_code_unknown');
  const { reference = null, redirectUrl = null, cancelUrl = null, origin = null } = input;
  const language = input.language ?? user?.language ?? null;
  const session = {
    ...draftSession(ctx, scope, {
      token: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
      elementId,
      offerIds: offersIds,
      ipAddress: null,
      language,
    }),
    ...{ byMerchant: true, userId: user?.id ?? null, reference, redirectUrl, cancelUrl, origin },
    lockedFields: lock,
    setQuantities: quantities,
    form: { ...form },
  };
  const { expiresInMinutes } = input;
  if (expiresInMinutes !== undefined) session.expiresAt = session.createdAt + expiresInMinutes * MINUTE_MS;
  await insertDraft(tx, scope, session);
  return session;
}

async function listElementOffers(tx: Tx, scope: Scope, elementId: string): Promise<string[]> {
  const element = await findElementCart(tx, scope, elementId);
  if (!element) throw notFound('checkout element', elementId);
  if (element.isArchived) throw new Refusal('offer_not_for_sale');
  return element.offerIds;
}

function checkAddresses(
  { redirectUrl, cancelUrl, origin }: Input,
  { scope, cart: { settings } }: { scope: Scope; cart: Cart },
): void {
  for (const [path, url] of Object.entries({ redirectUrl, cancelUrl })) {
    if (url !== undefined && !isReturnUrl(url, scope))
      throw invalidField(path, 'must be an https address, in test mode also one of this machine');
  }
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).origin !== origin)
    throw invalidField('origin', 'must be an origin, such as https://shop.example');
  if (!isWithinSources(origin, settings.authorizedDomains, scope))
    throw invalidField('origin', 'is not among authorizedDomains');
}

function toForm(input: Input, { user, cart }: { user: Row<'users'> | null; cart: Cart }): BuyerForm {
  const { billingDetails = {}, customFields = {}, discountCode = null } = input;
  const { countryCode } = billingDetails;
  if (countryCode != null && !isCountry(countryCode))
    throw invalidField('billingDetails.countryCode', 'is not a country');
  const known = new Set(cart.customFields.map(({ key }) => key));
  const unknown = Object.keys(customFields).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalidField(`customFields.${unknown}`, 'is not asked for here');
  const email = user?.email ?? toAddress(input.email);
  const stored = withDetails(EMPTY_FORM, user?.billingDetails ?? {});
  return { ...withDetails(stored, billingDetails), email, discountCode, customFields };
}

function toAddress(email: string | undefined): string | null {
  if (email === undefined) return null;
  const parsed = parseEmail(email);
  if (!parsed) throw invalidField('email', 'is not a valid e-mail address');
  return parsed.address;
}

/** What is locked and empty nobody could ever fill in. */
function checkLocks(lock: readonly LockedField[], form: BuyerForm): void {
  if (lock.includes('email') && form.email === null)
    throw invalidField('lock', 'names email, and there is none');
  if (lock.includes('country') && form.countryCode === null)
    throw invalidField('lock', 'names country, and there is none');
}
