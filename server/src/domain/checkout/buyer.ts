/** What a buyer tells of themselves at a checkout, and what of it a payment needs. */
import { COUNTRIES_WITHOUT_POSTAL_CODES, isCountry } from '../countries.ts';
import { isEmail } from '../email.ts';
import type { InputIssue } from '../errors.ts';
import type { CheckoutBlock } from '../settings-blocks.ts';
import { needsPostalCode, needsState, toPlace } from '../tax/location.ts';

/** Null where the buyer has said nothing. */
export interface BuyerForm {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  countryCode: string | null;
  state: string | null;
  city: string | null;
  postalCode: string | null;
  address: string | null;
  addressLine2: string | null;
  dialCode: string | null;
  phoneNumber: string | null;
  type: 'individual' | 'company';
  companyName: string | null;
  taxNumber: string | null;
  taxIdType: string | null;
  /** Of a cart with one line alone, as links and the API name it. */
  quantity: number | null;
  /** Of lines that the buyer may change, by their offers. */
  quantities: Quantities;
  discountCode: string | null;
  customFields: Record<string, string>;
}

/** How much of each offer. */
export type Quantities = Readonly<Record<string, number>>;

export const EMPTY_FORM: BuyerForm = {
  email: null,
  firstName: null,
  lastName: null,
  countryCode: null,
  state: null,
  city: null,
  postalCode: null,
  address: null,
  addressLine2: null,
  dialCode: null,
  phoneNumber: null,
  type: 'individual',
  companyName: null,
  taxNumber: null,
  taxIdType: null,
  quantity: null,
  quantities: {},
  discountCode: null,
  customFields: {},
};

/** What of a form is kept: what it says. The rest is as `EMPTY_FORM` has it. */
export function listSaid(form: Partial<BuyerForm>): Partial<BuyerForm> {
  const said = Object.entries(form).filter(([field, value]) => !isUnsaid(field, value));
  return Object.fromEntries(said);
}

function isUnsaid(field: string, value: unknown): boolean {
  if (value === null || value === EMPTY_FORM[field as keyof BuyerForm]) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

const BILLED = [
  'firstName',
  'lastName',
  'countryCode',
  'state',
  'city',
  'postalCode',
  'address',
  'addressLine2',
  'dialCode',
  'phoneNumber',
  'companyName',
  'taxNumber',
  'taxIdType',
] as const;

type Billed = { [Field in (typeof BILLED)[number]]?: string | null };

/** A form with billing details that somebody has given elsewhere. */
export function withDetails(
  form: BuyerForm,
  details: Billed & { type?: BuyerForm['type'] | null },
): BuyerForm {
  const given = BILLED.flatMap((field) => (details[field] == null ? [] : [[field, details[field]]]));
  return { ...form, ...Object.fromEntries(given), type: details.type ?? form.type };
}

/** What the buyer has said of where and who they are; what is not said is absent. */
export function listBilled(form: BuyerForm): Partial<Record<(typeof BILLED)[number], string>> {
  return Object.fromEntries(BILLED.flatMap((field) => (form[field] === null ? [] : [[field, form[field]]])));
}

/** What must be said of the buyer beside their e-mail. */
export interface BuyerNeeds {
  /** The country, what tax asks of it, and the name of a company. */
  place: boolean;
  name: boolean;
  /** Street, town and postal code. */
  address: boolean;
}

interface Billing {
  block: Pick<CheckoutBlock, 'buyerName' | 'buyerAddress'>;
  /** What costs nothing is had with an e-mail alone. */
  isBilled: boolean;
  /** On our own page, not over the API, where the merchant tells what they have. */
  isOnPage: boolean;
}

/** A company's invoice bears its address; a person's where the shop asks for it. */
export function toBuyerNeeds({ type }: BuyerForm, { block, isBilled, isOnPage }: Billing): BuyerNeeds {
  const isAsked = isBilled && isOnPage;
  return {
    place: isBilled,
    name: isAsked && block.buyerName === 'required',
    address: isAsked && (type === 'company' || block.buyerAddress === 'required'),
  };
}

/** Every place of the form that a payment cannot be made with; the paths are the form's fields. */
export function checkBuyer(form: BuyerForm, needs: BuyerNeeds): InputIssue[] {
  const issues: InputIssue[] = [];
  if (form.email === null) issues.push({ path: 'email', message: 'is required' });
  else if (!isEmail(form.email)) issues.push({ path: 'email', message: 'is not a valid e-mail address' });
  if (needs.place) issues.push(...checkAddress(form));
  if (needs.place && form.type === 'company' && form.companyName === null) {
    issues.push({ path: 'companyName', message: 'is required for a company' });
  }
  for (const path of listMissing(form, needs)) {
    if (!issues.some((issue) => issue.path === path)) issues.push({ path, message: 'is required' });
  }
  return issues;
}

function listMissing(form: BuyerForm, { name, address }: BuyerNeeds): string[] {
  const hasCodes = !COUNTRIES_WITHOUT_POSTAL_CODES.includes(form.countryCode ?? '');
  const required = [
    ...(name ? (['firstName', 'lastName'] as const) : []),
    ...(address ? (['address', 'city'] as const) : []),
    ...(address && hasCodes ? (['postalCode'] as const) : []),
  ];
  return required.filter((field) => form[field] === null);
}

/** Where the buyer is: what tax and payment need to know of it. */
export function checkAddress({
  countryCode,
  postalCode,
  state,
}: Pick<BuyerForm, 'countryCode' | 'postalCode' | 'state'>): InputIssue[] {
  if (countryCode === null) return [{ path: 'countryCode', message: 'is required' }];
  if (!isCountry(countryCode)) return [{ path: 'countryCode', message: 'is not a country' }];
  if (needsPostalCode(countryCode)) {
    if (postalCode === null) return [{ path: 'postalCode', message: 'is required for this country' }];
    if (!isPostalCode(countryCode, postalCode)) {
      return [{ path: 'postalCode', message: 'is not a postal code of this country' }];
    }
  }
  // The postal code mostly tells the state; only where it does not, the buyer must.
  if (needsState(countryCode) && toPlace({ countryCode, state, postalCode }).region === null) {
    return [{ path: 'state', message: 'is required for this country' }];
  }
  return [];
}

const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-?\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] ?-?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
  UA: /^\d{5}$/,
  IN: /^[1-9]\d{2} ?\d{3}$/,
};

function isPostalCode(countryCode: string, postalCode: string): boolean {
  return POSTAL_CODES[countryCode]?.test(postalCode.trim()) ?? true;
}
