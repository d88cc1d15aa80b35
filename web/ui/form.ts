import { type CardValues, digitsOf } from './card.ts';
import type { CheckoutView, FormFields, FormValues, Quote } from './view.ts';

/** Messages by the path of the field, in the words of the API: `email`, `card.number`, `customFields.<key>`. */
export type FieldErrors = Record<string, string>;

/** What the server is asked to price or to sell. */
export interface FormBody
  extends Omit<FormValues, 'quantity' | 'postalCode' | 'state' | 'companyName' | 'taxNumber'> {
  quantity?: number;
  postalCode?: string;
  state?: string;
  companyName?: string;
  taxNumber?: string;
}

export interface SubmitBody extends FormBody {
  card?: CardValues;
  expectedTotal: number;
  fingerprint: string;
}

export const asksPostalCode = (fields: FormFields, countryCode: string): boolean =>
  fields.postalCodeCountries.includes(countryCode);

export const listStates = (fields: FormFields, countryCode: string): Array<{ code: string; name: string }> =>
  Object.hasOwn(fields.statesByCountry, countryCode) ? (fields.statesByCountry[countryCode] ?? []) : [];

/** A card is asked for when something is due, and for every subscription: its renewals are paid with it. */
export function needsCard(view: Pick<CheckoutView, 'items' | 'fields'>, quote: Quote): boolean {
  return quote.dueNow > 0 || (view.fields.paymentRequired && view.items.some((item) => item.recurring));
}

/**
 * The form as the server takes it. A field that the page does not show is not sent, so that the state of an
 * earlier country or the tax number of a company that is none any more does not decide the price.
 */
export function toFormBody(
  values: FormValues,
  { fields, items }: Pick<CheckoutView, 'fields' | 'items'>,
): FormBody {
  const { quantity, postalCode, state, companyName, taxNumber, ...always } = values;
  const trimmed = { ...always, email: values.email.trim(), discountCode: values.discountCode.trim() };
  const hasState = listStates(fields, values.countryCode).some((one) => one.code === state);
  return {
    ...trimmed,
    ...(items.some((item) => item.mutableQuantity) && { quantity }),
    ...(asksPostalCode(fields, values.countryCode) && { postalCode: postalCode.trim() }),
    ...(hasState && { state }),
    ...(values.type === 'company' && { companyName: companyName.trim(), taxNumber: taxNumber.trim() }),
  };
}

/** The form with the price that was shown, and the card where one is needed. */
export function toSubmitBody(body: FormBody, quote: Quote, card: CardValues | null): SubmitBody {
  const priced = { ...body, expectedTotal: quote.total, fingerprint: quote.fingerprint };
  if (!card) return priced;
  return { ...priced, card: { ...card, number: digitsOf(card.number), name: card.name.trim() } };
}

/**
 * What is plainly missing, by field, as keys of the texts. Only what saves a useless round trip is checked here:
 * whether an address, a number or a code is right is the server's to say.
 */
export function findMissing(values: FormValues, fields: FormFields, card: CardValues | null): FieldErrors {
  // What costs nothing is claimed with an e-mail address alone.
  const errors: FieldErrors = card ? { ...findMissingPlace(values, fields), ...findMissingCard(card) } : {};
  if (!/^\S+@\S+$/.test(values.email.trim())) errors.email = 'missing.email';
  if (values.type === 'company' && !values.companyName.trim()) errors.companyName = 'missing.companyName';
  for (const field of fields.custom) {
    const isMissing = field.required && !(values.customFields[field.key] ?? '').trim();
    if (isMissing) errors[`customFields.${field.key}`] = 'missing.customField';
  }
  return errors;
}

function findMissingPlace(values: FormValues, fields: FormFields): FieldErrors {
  const errors: FieldErrors = {};
  const states = listStates(fields, values.countryCode);
  if (fields.countries.length > 0 && !values.countryCode) errors.countryCode = 'missing.country';
  // A postal code mostly tells the state; where it does not, the server asks.
  const tellsState = values.postalCode.trim() !== '' || states.some((one) => one.code === values.state);
  if (states.length > 0 && !tellsState) errors.state = 'missing.state';
  if (asksPostalCode(fields, values.countryCode) && !values.postalCode.trim()) {
    errors.postalCode = 'missing.postalCode';
  }
  return errors;
}

/** What is plainly missing of a card, as keys of the texts. */
export function findMissingCard(card: CardValues): FieldErrors {
  const errors: FieldErrors = {};
  if (digitsOf(card.number).length < 12) errors['card.number'] = 'missing.cardNumber';
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(card.expiry)) errors['card.expiry'] = 'missing.expiry';
  if (!/^\d{3,4}$/.test(card.cvc)) errors['card.cvc'] = 'missing.cvc';
  return errors;
}
