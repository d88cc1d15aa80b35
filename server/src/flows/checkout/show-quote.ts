/** The price of a checkout as its page draws it. */
import type { Step } from '../../context.ts';
import type { BuyerForm } from '../../domain/checkout/buyer.ts';
import { type Asking, getConsentText, listAskedConsents } from '../../domain/consumer/consent.ts';
import { ERRORS } from '../../domain/errors.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { sumTaxLines } from '../../domain/pricing/breakdown.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { boundaryMs } from '../../domain/subscriptions/period.ts';
import { needsState, toPlace } from '../../domain/tax/location.ts';
import type { Offered } from '../payments/choose-connection.ts';
import { toTaxNumberWord } from '../pricing/check-tax-number.ts';
import type { Cart, CartQuote } from '../pricing/quote-cart.ts';

/** Whether the buyer has said enough of where they are for the tax to be a figure. */
function canTellPlace({ countryCode, state, postalCode }: BuyerForm): boolean {
  if (countryCode === null) return false;
  return !needsState(countryCode) || toPlace({ countryCode, state, postalCode }).region !== null;
}

interface ShownQuote {
  quote: CartQuote;
  form: BuyerForm;
  language: string | null;
  /** By what it can be paid: it hangs on the buyer's country and code as the price does. */
  offered: Offered;
}

/** The quote as the page draws it: no sums are made in the browser. */
export function toQuoteView(ctx: Step, cart: Cart, { quote, form, language, offered }: ShownQuote) {
  const { codeRefusal, discount } = quote;
  const isPlaceKnown = canTellPlace(form);
  return {
    currency: cart.currency,
    currencyDecimals: currencyDecimals(cart.currency),
    inclusive: quote.inclusive,
    subtotal: Number(toSubtotal(quote)),
    discount: Number(quote.discountMinor),
    tax: isPlaceKnown ? Number(quote.taxMinor) : null,
    total: Number(quote.totalMinor),
    dueNow: Number(quote.dueNowMinor),
    reason: isPlaceKnown ? quote.reason : null,
    lines: quote.lines.map((line, index) => ({
      name: cart.lines[index]?.offer.name ?? cart.lines[index]?.offer.productName ?? '',
      quantity: line.quantity,
      subtotal: Number(line.subtotalMinor),
      discount: Number(line.discountMinor),
      tax: Number(line.taxMinor),
      total: Number(line.totalMinor),
    })),
    taxLines: sumTaxes(quote),
    appliedDiscount: discount && toAppliedDiscount(discount),
    codeError: codeRefusal && { code: codeRefusal, message: ERRORS[codeRefusal].message },
    codeUnused: quote.codeUnused,
    taxNumberCheck: toTaxNumberWord(form, quote),
    renewal: toRenewal(ctx, cart, quote),
    methods: offered.methods,
    processorFields: offered.fields,
    hasMoreWays: offered.hasMoreWays,
    consents: listAskedConsents(toAsking(cart, { quote, form })).map((kind) => ({
      ...getConsentText(kind, language ?? 'en'),
      isRequired: cart.settings.consumer.consent === 'require',
    })),
    fingerprint: quote.fingerprint,
  };
}

function toRenewal(ctx: Step, { interval }: Cart, { renewalMinor, trialEndMs }: CartQuote) {
  if (interval === null || renewalMinor === null) return null;
  const startsAt = trialEndMs ?? boundaryMs(ctx.nowMs, interval, 1);
  return { amount: Number(renewalMinor), interval: interval.unit, count: interval.count, startsAt };
}

/** As `toBreakdown` has it: without the tax that some prices hold where others do not. */
const toSubtotal = ({ inclusive, subtotalMinor, totalMinor, taxMinor, discountMinor }: CartQuote): bigint =>
  inclusive ? subtotalMinor : totalMinor - taxMinor + discountMinor;

/** One line per tax, summed over the cart. */
function sumTaxes({ lines }: CartQuote) {
  const rates = lines.flatMap((line) => line.rates);
  return sumTaxLines(
    rates.map(({ name, country, region, ratePpm, amountMinor }) => ({
      ...{ name, country, region, percentage: ratePpm / 10_000, amount: Number(amountMinor) },
    })),
  );
}

/** By what it is decided which boxes the buyer sees. */
export function toAsking(
  { settings, lines }: Cart,
  { quote: { dueNowMinor }, form }: { quote: CartQuote; form: BuyerForm },
): Asking {
  const kinds = lines.map(({ offer }) => offer.withdrawal);
  return { settings: settings.consumer, form, dueNowMinor, kinds };
}
