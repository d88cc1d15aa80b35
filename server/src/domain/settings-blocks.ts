/** Blocks of settings that the pages of a shop follow: how they look, what a buyer may do there, what the law asks. */

export interface Branding {
  /** Addresses of pictures that were uploaded here; null = a monogram. */
  logo: string | null;
  icon: string | null;
  /** `#rrggbb`; null = ours. */
  accent: string | null;
  theme: 'auto' | 'light' | 'dark';
  termsUrl: string | null;
  privacyUrl: string | null;
  imprintUrl: string | null;
  websiteUrl: string | null;
}

export const CANCEL_REASONS = [
  'too_expensive',
  'missing_features',
  'unused',
  'switched',
  'problems',
  'other',
] as const;

export interface PortalBlock {
  planChange: 'product' | 'listed' | 'off';
  planChangeOffers: string[];
  upgradeProration: 'always_invoice' | 'create_prorations';
  downgradeProration: 'create_prorations' | 'none';
  quantityChange: boolean;
  pause: boolean;
  pauseMaxDays: number;
  cancelTiming: 'endInterval' | 'immediately' | 'choice';
  cancelReasons: Array<(typeof CANCEL_REASONS)[number]>;
  /** Offered once to whoever is about to cancel; null = nothing is. */
  stayDiscountId: string | null;
  emailChange: boolean;
  passwordSignIn: boolean;
  deletion: 'request' | 'automatic';
  returnUrl: string | null;
  headline: string | null;
}

export interface ConsumerBlock {
  withdrawal: 'eu' | 'everyone' | 'off';
  consent: 'ask' | 'require' | 'off';
  withdrawalHandling: 'automatic' | 'manual';
  deliveredContent: 'manual' | 'automatic';
  cancellationPage: 'auto' | 'off';
}

export interface CheckoutBlock {
  /** Null = the browser's. */
  defaultLanguage: string | null;
  buyerName: 'off' | 'optional' | 'required';
  buyerAddress: 'off' | 'optional' | 'required';
  reminder: 'off' | 'ask' | 'always';
  reminderMinutes: number;
  reminderDiscountId: string | null;
  /** How long a receipt shows what was bought. */
  receiptDays: number;
}

export interface Blocks {
  branding: Branding;
  portal: PortalBlock;
  consumer: ConsumerBlock;
  checkout: CheckoutBlock;
}

export const BLOCK_DEFAULTS: Blocks = {
  branding: {
    logo: null,
    icon: null,
    accent: null,
    theme: 'auto',
    termsUrl: null,
    privacyUrl: null,
    imprintUrl: null,
    websiteUrl: null,
  },
  portal: {
    planChange: 'product',
    planChangeOffers: [],
    upgradeProration: 'always_invoice',
    downgradeProration: 'create_prorations',
    quantityChange: false,
    pause: false,
    pauseMaxDays: 90,
    cancelTiming: 'endInterval',
    cancelReasons: [...CANCEL_REASONS],
    stayDiscountId: null,
    emailChange: true,
    passwordSignIn: true,
    deletion: 'request',
    returnUrl: null,
    headline: null,
  },
  consumer: {
    withdrawal: 'eu',
    consent: 'ask',
    withdrawalHandling: 'automatic',
    deliveredContent: 'manual',
    cancellationPage: 'auto',
  },
  checkout: {
    defaultLanguage: null,
    buyerName: 'off',
    buyerAddress: 'off',
    reminder: 'off',
    reminderMinutes: 60,
    reminderDiscountId: null,
    receiptDays: 30,
  },
};

const READABLE = 4.5;

/** Whether an accent `#rrggbb` can be read on a white sheet; black or white can then be read on it, too. */
export function isReadableAccent(accent: string): boolean {
  return 1.05 / (luminance(accent) + 0.05) >= READABLE;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
