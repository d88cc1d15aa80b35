/**
 * Settings of a store: every *setting* of the specification that exists by now, with its default.
 * Stored are only those that differ.
 */
export interface Settings {
  /** The name buyers see; null = the workspace's. */
  sellerName: string | null;
  /** ISO 3166-1 alpha-2; null = outside the EU. */
  sellerCountry: string | null;
  supportEmail: string | null;
  taxCollection: 'everywhere' | 'registered' | 'off';
  pricesIncludeTax: boolean;
  /** Where the seller is registered for tax, for `registered`. */
  registrations: Array<{ country: string; region: string | null; number: string | null }>;
  /** Where a buyer is sent after paying; null = they stay on the receipt. */
  redirectUrl: string | null;
  /** Sites that may show the checkout in a frame. */
  authorizedDomains: string[];
  invoicePrefix: string;
}

export const SETTINGS_DEFAULTS: Settings = {
  sellerName: null,
  sellerCountry: null,
  supportEmail: null,
  taxCollection: 'everywhere',
  pricesIncludeTax: false,
  registrations: [],
  redirectUrl: null,
  authorizedDomains: [],
  invoicePrefix: 'INV',
};

/** Stored settings over the defaults. They were validated when they were written. */
export function toSettings(stored: Record<string, unknown>): Settings {
  return { ...SETTINGS_DEFAULTS, ...(stored as Partial<Settings>) };
}
