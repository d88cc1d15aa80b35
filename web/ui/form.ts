import { type CardValues, digitsOf } from './card.ts';
import type { Asked, CheckoutView, ConsentBox, FormFields, FormValues, Quote } from './view.ts';

/** Messages by the path of the field, in the words of the API: `email`, `card.number`, `customFields.<key>`. */
export type FieldErrors = Record<string, string>;

/** What the server is asked to price or to sell. */
export interface FormBody
  extends Omit<FormValues, 'quantities' | 'postalCode' | 'state' | 'companyName' | 'taxNumber' | 'remind'> {
  remind?: boolean;
  quantities?: Record<string, number>;
  postalCode?: string;
  state?: string;
  companyName?: string;
  taxNumber?: string;
  /** Of the link, while the server has nothing of the page yet. */
  reference?: string | null;
  redirectUrl?: string | null;
  frame?: 'overlay' | 'embed' | null;
}

export interface SubmitBody extends FormBody {
  card?: CardValues;
  paymentMethodId?: string;
  keepMethod?: boolean;
  payment?: { option: 'redirect' | 'transfer' } | { option: 'token'; token: string };
  /** By their words, as they stood beside the boxes that are ticked. */
  consents: Array<Pick<ConsentBox, 'kind' | 'textVersion' | 'language'>>;
  expectedTotal: number;
  fingerprint: string;
}

/** What is asked of the buyer beside where they are; a company always gives its address. */
export const askedOf = (
  { buyer }: FormFields,
  { type }: Pick<FormValues, 'type'>,
): { name: Asked; address: Asked } => (type === 'company' ? { ...buyer, address: 'required' } : buyer);

type Placed = Pick<FormValues, 'countryCode' | 'type'>;

const hasPostalCodes = ({ noPostalCodeCountries }: FormFields, countryCode: string): boolean =>
  countryCode !== '' && !noPostalCodeCountries.includes(countryCode);

export const asksPostalCode = (fields: FormFields, values: Placed): boolean =>
  fields.postalCodeCountries.includes(values.countryCode) ||
  (askedOf(fields, values).address !== 'off' && hasPostalCodes(fields, values.countryCode));

const needsPostalCode = (fields: FormFields, values: Placed): boolean =>
  fields.postalCodeCountries.includes(values.countryCode) ||
  (askedOf(fields, values).address === 'required' && hasPostalCodes(fields, values.countryCode));

export const listStates = (fields: FormFields, countryCode: string): Array<{ code: string; name: string }> =>
  Object.hasOwn(fields.statesByCountry, countryCode) ? (fields.statesByCountry[countryCode] ?? []) : [];

/** How the buyer pays; a way that is not offered here cannot be chosen. */
export type Paying =
  | { option: 'card'; card: CardValues; keeps: boolean }
  | { option: 'stored'; paymentMethodId: string }
  /** `token`: what the processor's fields made of what was typed there, a moment ago. */
  | { option: 'token'; token: string; keeps?: boolean }
  | { option: 'redirect' }
  | { option: 'transfer' };

/** How the buyer pays, before the processor's fields are asked for their token. */
export type Choice = Exclude<Paying, { option: 'token' }> | { option: 'token'; keeps?: boolean };

/** A method is asked for when something is due, and for every subscription: its renewals are paid with it. */
export function needsPayment(view: Pick<CheckoutView, 'items' | 'fields'>, quote: Quote): boolean {
  return quote.dueNow > 0 || (view.fields.paymentRequired && view.items.some((item) => item.recurring));
}

/**
 * The form as the server takes it. A field that the page does not show is not sent, so that the state of an
 * earlier country or the tax number of a company that is none any more does not decide the price.
 */
export function toFormBody(
  values: FormValues,
  { fields, form, link, asksReminder }: Pick<CheckoutView, 'fields' | 'form' | 'link' | 'asksReminder'>,
): FormBody {
  const { quantities, postalCode, state, companyName, taxNumber, remind, ...always } = values;
  const trimmed = { ...always, email: values.email.trim(), discountCode: values.discountCode.trim() };
  const asked = askedOf(fields, values);
  // What a link or the seller told stands where the page does not ask.
  const named = asked.name === 'off' ? form : values;
  const placed = asked.address === 'off' ? form : values;
  const hasState = listStates(fields, values.countryCode).some((one) => one.code === state);
  return {
    ...trimmed,
    ...{ firstName: named.firstName.trim(), lastName: named.lastName.trim() },
    ...{ address: placed.address.trim(), city: placed.city.trim() },
    ...(Object.keys(quantities).length > 0 && { quantities }),
    ...link,
    ...(asksReminder && { remind }),
    ...(asksPostalCode(fields, values) && { postalCode: postalCode.trim() }),
    ...(hasState && { state }),
    ...(values.type === 'company' && { companyName: companyName.trim(), taxNumber: taxNumber.trim() }),
  };
}

export interface Pressed {
  /** The price that was shown. */
  quote: Quote;
  /** Null where nothing is to be paid. */
  paying: Paying | null;
  ticked: ReadonlySet<ConsentBox['kind']>;
}

/** The form with what stood on the page when the button was pressed. */
export function toSubmitBody(body: FormBody, { quote, paying, ticked }: Pressed): SubmitBody {
  const consents = quote.consents
    .filter(({ kind }) => ticked.has(kind))
    .map(({ kind, textVersion, language }) => ({ kind, textVersion, language }));
  const priced = { ...body, consents, expectedTotal: quote.total, fingerprint: quote.fingerprint };
  return paying ? { ...priced, ...toPayingBody(paying) } : priced;
}

type PayingBody = Pick<SubmitBody, 'card' | 'payment' | 'paymentMethodId' | 'keepMethod'>;

export function toPayingBody(paying: Paying): PayingBody {
  if (paying.option === 'transfer' || paying.option === 'redirect')
    return { payment: { option: paying.option } };
  if (paying.option === 'stored') return { paymentMethodId: paying.paymentMethodId };
  const kept = paying.keeps ? { keepMethod: true } : {};
  if (paying.option === 'token') return { payment: { option: 'token', token: paying.token }, ...kept };
  const { card } = paying;
  return { card: { ...card, number: digitsOf(card.number), name: card.name.trim() }, ...kept };
}

/**
 * What is plainly missing, by field, as keys of the texts. Only what saves a useless round trip is checked here:
 * whether an address, a number or a code is right is the server's to say.
 */
export function findMissing(values: FormValues, fields: FormFields, paying: Choice | null): FieldErrors {
  // What costs nothing is claimed with an e-mail address alone.
  const errors: FieldErrors = paying ? findMissingPlace(values, fields) : {};
  if (paying?.option === 'card') Object.assign(errors, findMissingCard(paying.card));
  if (!/^\S+@\S+$/.test(values.email.trim())) errors.email = 'missing.email';
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
  const asked = askedOf(fields, values);
  const needed = {
    companyName: values.type === 'company',
    ...{ firstName: asked.name === 'required', lastName: asked.name === 'required' },
    ...{ address: asked.address === 'required', city: asked.address === 'required' },
    postalCode: needsPostalCode(fields, values),
  };
  for (const field of ['companyName', 'firstName', 'lastName', 'address', 'city', 'postalCode'] as const) {
    if (needed[field] && !values[field].trim()) errors[field] = `missing.${field}`;
  }
  return errors;
}

/** Boxes without whose tick the seller does not deliver. */
export function findMissingTicks(
  boxes: readonly ConsentBox[],
  ticked: ReadonlySet<ConsentBox['kind']>,
): FieldErrors {
  const missing = boxes.filter(({ kind, isRequired }) => isRequired && !ticked.has(kind));
  return Object.fromEntries(missing.map(({ kind }) => [`consents.${kind}`, 'missing.consent']));
}

/** What is plainly missing of a card, as keys of the texts. */
export function findMissingCard(card: CardValues): FieldErrors {
  const errors: FieldErrors = {};
  if (digitsOf(card.number).length < 12) errors['card.number'] = 'missing.cardNumber';
  if (!/^(0[1-9]|1[0-2])\/\d\d$/.test(card.expiry)) errors['card.expiry'] = 'missing.expiry';
  if (!/^\d{3,4}$/.test(card.cvc)) errors['card.cvc'] = 'missing.cvc';
  return errors;
}
