/** What a checkout is opened with: from a call, or from the attributes of an element. */
import type { Theme } from './protocol.ts';

export type Mode = 'hosted' | 'overlay' | 'embed';

export interface Settings {
  mode?: Mode;
  /** Where an embedded checkout goes: an element, its id or a selector. */
  frameTarget?: Element | string;
  /** False: no entry in the history of the page, so that Back leaves it. */
  history?: boolean;
  theme?: Theme;
  language?: string;
}

export interface BillingData {
  email?: string;
  firstName?: string;
  lastName?: string;
  country?: string;
  state?: string;
  city?: string;
  zipCode?: string;
}

export interface OpenOptions extends Settings {
  /** The address of an offer's, an element's or a session's checkout. */
  checkoutUrl: string;
  settings?: Settings;
  billingData?: BillingData;
  customFields?: Record<string, string>;
  discountCode?: string;
  quantity?: number | string;
  reference?: string;
}

const BILLING = ['email', 'first-name', 'last-name', 'country', 'state', 'city', 'zip-code'];

const toCamel = (name: string) => name.replace(/-(.)/g, (_all, sign: string) => sign.toUpperCase());

/** Undefined for an element that opens nothing. */
export function readOptions(element: Element): OpenOptions | undefined {
  const read = (name: string) => element.getAttribute(`data-svc-${name}`) ?? undefined;
  const checkoutUrl = read('checkout-url') || (element as HTMLAnchorElement).href;
  if (!checkoutUrl) return undefined;
  return {
    checkoutUrl,
    // What is written in a page is taken as it stands: an unknown word opens an overlay.
    mode: read('mode') as Mode | undefined,
    frameTarget: read('frame-target'),
    theme: read('theme') as Theme | undefined,
    language: read('language'),
    reference: read('reference'),
    quantity: read('quantity'),
    discountCode: read('discount-code'),
    billingData: Object.fromEntries(BILLING.map((name) => [toCamel(name), read(`billing-${name}`)])),
    customFields: parseFields(read('custom-fields')),
  };
}

function parseFields(text: string | undefined): Record<string, string> | undefined {
  try {
    return text && JSON.parse(text);
  } catch {
    console.error(`Counterfoil: data-svc-custom-fields is no JSON: ${text}`);
    return undefined;
  }
}

/** The address with all that the buyer need not type. Throws on what no browser opens as a page. */
export function toCheckoutUrl(options: OpenOptions, baseUrl: string): URL {
  const url = new URL(options.checkoutUrl, baseUrl);
  // A missing one would be a page of the shop that is called `undefined`.
  if (!options.checkoutUrl || !/^https?:$/.test(url.protocol))
    throw new TypeError('Counterfoil: checkoutUrl is no web address');
  const { billingData = {}, customFields } = options;
  const set = (name: string, value: unknown) => {
    if (value != null && value !== '') url.searchParams.set(name, String(value));
  };
  for (const name of BILLING) set(`svc-customer-${name}`, billingData[toCamel(name) as keyof BillingData]);
  for (const name of ['quantity', 'discount-code', 'reference', 'theme', 'language'] as const) {
    set(`svc-${name}`, options[toCamel(name) as 'quantity']);
  }
  for (const name in customFields) set(name, customFields[name]);
  return url;
}
