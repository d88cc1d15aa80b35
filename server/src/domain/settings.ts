/**
 * Settings of a store: every *setting* of the specification, with its default. The names are the API's.
 * Stored are only those that differ, so that a new default reaches everybody who did not choose.
 */
import { isCountry } from './countries.ts';
import { isEmail } from './email.ts';
import type { InputIssue } from './errors.ts';
import { isFrameSource, toFrameSource } from './frame-sources.ts';
import { BLOCK_DEFAULTS, type Blocks } from './settings-blocks.ts';
import type { TaxRateOverride } from './tax/overrides.ts';
import { CA_PROVINCES, toRegionCode, US_STATES } from './tax/regions.ts';
import { isTimeZone } from './time-zone.ts';
import { isWebAddress } from './web-address.ts';

/** Who sells, as buyers and invoices see it. Where the seller sits is `sellerCountry`. */
export interface Seller {
  /** Null = the workspace's name. */
  name: string | null;
  address: string | null;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  /** The tax number that invoices show. */
  taxNumber: string | null;
  /** The entry in a register of companies. */
  registrationNumber: string | null;
  /** Where buyers turn with questions. */
  email: string | null;
}

export interface Registration {
  /** ISO 3166-1 alpha-2, or `EU` for a one-stop-shop registration. */
  country: string;
  /** Code of a US state or Canadian province; null = the whole country. */
  region: string | null;
  number: string | null;
}

export const REDIRECT_PARAMETERS = ['svc-order-id', 'svc-user-email', 'svc-product-internal-id'] as const;
export type RedirectParameter = (typeof REDIRECT_PARAMETERS)[number];

export interface Settings extends Blocks {
  /** In which the dashboard tells times and counts days: an IANA name. */
  timezone: string;
  /** The merchant's own rates, which win over the table from their day on. */
  taxRateOverrides: TaxRateOverride[];
  seller: Seller;
  /** ISO 3166-1 alpha-2; null = outside the EU. */
  sellerCountry: string | null;
  taxCollection: 'everywhere' | 'registered' | 'off';
  pricesIncludeTax: boolean;
  /** `vies` asks online; while nothing answers, no number counts as valid. */
  taxNumberCheck: 'format' | 'vies';
  /** Where the seller is registered for tax, for `registered`. */
  registrations: Registration[];
  /** Where a buyer is sent after paying; null = they stay on the receipt. */
  redirectUrl: string | null;
  /** Which of ours are added to `redirectUrl`. */
  redirectParameters: RedirectParameter[];
  /** The merchant's own, added to `redirectUrl` as they are. */
  redirectFixedParameters: Record<string, string>;
  /** Sites that may show the checkout in a frame, as sources of a content security policy. */
  authorizedDomains: string[];
  /** Who takes what is paid on the pages of the test store: its sandbox, or connected accounts in their test mode. */
  testCheckout: 'sandbox' | 'processors';
  /** What is scarce may be paid by methods that take days, and waits for them. */
  delayedForStock: boolean;
  /** What follows when a card's issuer fears a fraud: its owners are told, or it is given back at once, too. */
  earlyFraudWarning: 'notify' | 'refund';
  invoicePrefix: string;
  creditNotePrefix: string;
  /** The address of a picture that was uploaded here. */
  invoiceLogo: string | null;
  invoiceFooter: string | null;
  dunning: {
    /** Days between the failed charge and each retry of it, one after the other. */
    retryDays: number[];
    /** What a subscription becomes when the last retry has failed. */
    end: 'unpaid' | 'canceled';
  };
  /** How long access stays after a renewal failed. */
  graceDays: number;
  /** A webhook that failed as often as this within `webhookDisableHours` is disabled. */
  webhookDisableFailures: number;
  webhookDisableHours: number;
  /** The owner is told when an offer has as many keys left or fewer; 0 = never. */
  lowStockThreshold: number;
  /** A buyer has one trial of a product; who comes again pays from the start. Never asked over the API. */
  oneTrial: boolean;
  /** How often an hour each key pair may move money by a tool of an assistant; 0 = never. */
  mcpMoneyCallsPerHour: number;
}

export const SETTINGS_DEFAULTS: Settings = {
  seller: {
    name: null,
    address: null,
    addressLine2: null,
    city: null,
    state: null,
    postalCode: null,
    taxNumber: null,
    registrationNumber: null,
    email: null,
  },
  sellerCountry: null,
  taxCollection: 'everywhere',
  pricesIncludeTax: false,
  taxNumberCheck: 'format',
  registrations: [],
  redirectUrl: null,
  redirectParameters: [...REDIRECT_PARAMETERS],
  redirectFixedParameters: {},
  authorizedDomains: [],
  testCheckout: 'sandbox',
  delayedForStock: false,
  earlyFraudWarning: 'notify',
  invoicePrefix: 'INV',
  creditNotePrefix: 'CN',
  invoiceLogo: null,
  invoiceFooter: null,
  timezone: 'UTC',
  taxRateOverrides: [],
  ...BLOCK_DEFAULTS,
  dunning: { retryDays: [2, 5, 7, 7], end: 'unpaid' },
  graceDays: 7,
  webhookDisableFailures: 10,
  webhookDisableHours: 120,
  lowStockThreshold: 5,
  oneTrial: true,
  mcpMoneyCallsPerHour: 10,
};

/** What is told of the settings: blocks may be given in part, and what is missing stays. */
export type SettingsChange = Partial<Omit<Settings, BlockName>> & {
  [Name in BlockName]?: Partial<Settings[Name]>;
};

/** Settings that change field by field. */
const BLOCKS = ['seller', 'dunning', 'branding', 'portal', 'consumer', 'checkout'] as const;
type BlockName = (typeof BLOCKS)[number];

/** Stored settings over the defaults. They were validated when they were written. */
export function toSettings(stored: Record<string, unknown>): Settings {
  return changeSettings(SETTINGS_DEFAULTS, stored as SettingsChange);
}

/** The settings after a change; blocks change field by field. */
export function changeSettings(before: Settings, change: SettingsChange): Settings {
  return {
    ...before,
    ...change,
    seller: over(before.seller, change.seller),
    dunning: over(before.dunning, change.dunning),
    branding: over(before.branding, change.branding),
    portal: over(before.portal, change.portal),
    consumer: over(before.consumer, change.consumer),
    checkout: over(before.checkout, change.checkout),
  };
}

/** Most stores have changed few blocks, and each request reads all. */
const over = <T extends object>(before: T, change: Partial<T> | undefined): T =>
  change ? { ...before, ...change } : before;

/** What is stored: the settings that differ from their default. */
export function toStored(settings: Settings): Record<string, unknown> {
  const stored = pickDifferent(settings, SETTINGS_DEFAULTS);
  for (const name of BLOCKS) {
    if (name in stored) stored[name] = pickDifferent(settings[name], SETTINGS_DEFAULTS[name]);
  }
  return stored;
}

function pickDifferent(values: object, defaults: object): Record<string, unknown> {
  const usual = new Map(Object.entries(defaults));
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(value, usual.get(name))),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The one form in which a setting is stored, for those that can be written in several. */
export function normaliseSettings(settings: Settings): Settings {
  return {
    ...settings,
    authorizedDomains: [...new Set(settings.authorizedDomains.map(toFrameSource))],
    redirectParameters: REDIRECT_PARAMETERS.filter((name) => settings.redirectParameters.includes(name)),
    registrations: settings.registrations.map(({ country, region, number }) => ({
      country,
      region: region === null ? null : (toKnownRegion(country, region) ?? region),
      number,
    })),
  };
}

/** What cannot be, beyond what a schema says of each field alone. Takes settings in their stored form. */
export function findSettingIssues(settings: Settings): InputIssue[] {
  const issues: InputIssue[] = [];
  const say = (path: string, message: string) => issues.push({ path, message });
  const { sellerCountry, redirectUrl, invoicePrefix, creditNotePrefix } = settings;
  if (settings.seller.email !== null && !isEmail(settings.seller.email))
    say('seller.email', 'is not a valid e-mail address');
  if (sellerCountry !== null && !isCountry(sellerCountry)) say('sellerCountry', 'is not a country');
  if (redirectUrl !== null && !isWebAddress(redirectUrl))
    say('redirectUrl', 'must be an http or https address');
  for (const [path, url] of listAddresses(settings)) {
    if (url !== null && !isWebAddress(url)) say(path, 'must be an http or https address');
  }
  if (!isIanaZone(settings.timezone)) say('timezone', 'must be an IANA time zone, such as Europe/Berlin');
  for (const [index, { country, validFrom, validTo }] of settings.taxRateOverrides.entries()) {
    if (!isCountry(country)) say(`taxRateOverrides.${index}.country`, 'is not a country');
    if (validTo !== null && validTo <= validFrom)
      say(`taxRateOverrides.${index}.validTo`, 'must be after validFrom');
  }
  if (invoicePrefix === creditNotePrefix) say('creditNotePrefix', 'must differ from invoicePrefix');
  for (const [index, { country, region }] of settings.registrations.entries()) {
    if (country !== 'EU' && !isCountry(country)) say(`registrations.${index}.country`, 'is not a country');
    if (region !== null && toKnownRegion(country, region) === null)
      say(`registrations.${index}.region`, 'is not a state or province of the country');
  }
  for (const [index, domain] of settings.authorizedDomains.entries()) {
    if (!isFrameSource(domain))
      say(`authorizedDomains.${index}`, 'must be a host or an http(s) origin, such as https://shop.example');
  }
  return issues;
}

/**
 * What a change must be refused for. What lay there before a rule was made, and is left as it is, is none of it:
 * else an old address would stand in the way of every other setting.
 */
export function findNewSettingIssues(before: Settings, after: Settings): InputIssue[] {
  const old = new Set(findSettingIssues(before).map((issue) => toKnown(before, issue)));
  return findSettingIssues(after).filter((issue) => !old.has(toKnown(after, issue)));
}

/** An issue with the value that it is about. */
function toKnown(settings: Settings, { path, message }: InputIssue): string {
  const value = path.split('.').reduce<unknown>((at, name) => Object(at)[name], settings);
  return JSON.stringify([path, message, value]);
}

function listAddresses({ branding, portal }: Settings): Array<[string, string | null]> {
  const { termsUrl, privacyUrl, imprintUrl, websiteUrl } = branding;
  return [
    ['branding.termsUrl', termsUrl],
    ['branding.privacyUrl', privacyUrl],
    ['branding.imprintUrl', imprintUrl],
    ['branding.websiteUrl', websiteUrl],
    ['portal.returnUrl', portal.returnUrl],
  ];
}

/** A fixed offset knows no summer time. */
function isIanaZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isTimeZone(name);
}

function toKnownRegion(country: string, region: string): string | null {
  if (country === 'US') return toRegionCode(US_STATES, region, 'US');
  return country === 'CA' ? toRegionCode(CA_PROVINCES, region, 'CA') : null;
}
