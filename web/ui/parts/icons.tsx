import type { CardBrand } from '../card.ts';

/** All drawings are for the eye: what they mean stands beside them in words. */
export const LockIcon = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M4.500 7V5a3.500 3.500 0 0 1 7 0v2M3.500 7h9v6.500h-9z" />
  </svg>
);

export const CheckIcon = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="m3 8.500 3.200 3.200L13 4.800" />
  </svg>
);

export const AlertIcon = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <circle cx="8" cy="8" r="6.500" />
    <path d="M8 4.800v4M8 11v.2" />
  </svg>
);

export const DownloadIcon = () => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d="M8 2.500v7.500M4.800 7 8 10.200 11.200 7M3 13.500h10" />
  </svg>
);

export const SealIcon = () => (
  <svg class="seal" viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="22" />
    <path d="m14.500 24.800 6.600 6.700 12.400-14" />
  </svg>
);

const BRAND_WORDS: Record<Exclude<CardBrand, 'mastercard'>, string> = {
  visa: 'VISA',
  amex: 'AMEX',
  discover: 'DISC',
  diners: 'DINERS',
  jcb: 'JCB',
  unionpay: 'UPAY',
};

/** A small sign of the card's brand; a plain card while it is not known. */
export function BrandMark({ brand }: { brand: CardBrand | null }) {
  if (brand === 'mastercard') {
    return (
      <svg class="brand" viewBox="0 0 36 24" aria-hidden="true">
        <rect class="brand-card" width="36" height="24" rx="4" />
        <circle cx="14.500" cy="12" r="7" fill="#eb001b" />
        <circle cx="21.500" cy="12" r="7" fill="#f79e1b" fill-opacity=".88" />
      </svg>
    );
  }
  return (
    <svg class={`brand ${brand ?? 'unknown'}`} viewBox="0 0 36 24" aria-hidden="true">
      <rect class="brand-card" width="36" height="24" rx="4" />
      {brand ? (
        <text x="18" y="15.500" text-anchor="middle">
          {BRAND_WORDS[brand]}
        </text>
      ) : (
        <path class="brand-stripe" d="M0 6h36v4H0zM5 15h10v3H5z" />
      )}
    </svg>
  );
}
