import { isEuMember } from './eu.ts';
import { CA_PROVINCES, provinceOfPostalCode, stateOfZip, toRegionCode, US_STATES } from './regions.ts';
import { findTerritory, TERRITORY_COUNTRIES } from './territories.ts';

/** Where a buyer says to be. */
export interface Address {
  /** ISO 3166-1 alpha-2, or XK. */
  countryCode: string;
  /** A code (`ON`, `US-CA`) or the English name of a US state or Canadian province. */
  state: string | null;
  postalCode: string | null;
}

/** Where a service counts as supplied. */
export interface Place {
  /** The country whose tax law applies: Monaco is France here, the Isle of Man the United Kingdom. */
  country: string;
  /** US state or Canadian province; null elsewhere, or when it cannot be told. */
  region: string | null;
  /** Code of a territory with rules of its own inside the country. */
  territory: string | null;
  /** Whether the EU's VAT rules hold here; not in the Canary Islands, Åland, Büsingen and their like. */
  isInEuVat: boolean;
}

const POSTAL_CODE_COUNTRIES: readonly string[] = ['US', 'CA', 'UA', 'IN'];
/** Their codes begin with letters of their own. */
const LETTERED_COUNTRIES: readonly string[] = ['CA', 'GB', 'GG', 'IM', 'JE'];
const STATE_COUNTRIES: readonly string[] = ['US', 'CA'];

/** Whether a sale into the country needs the buyer's postal code. */
export function needsPostalCode(countryCode: string): boolean {
  return POSTAL_CODE_COUNTRIES.includes(countryCode);
}

/** Whether tax in the country depends on a state or province; `toPlace` derives it from a postal code too. */
export function needsState(countryCode: string): boolean {
  return STATE_COUNTRIES.includes(countryCode);
}

/** The place of supply of a digital sale: the buyer's country, and the part of it that has its own tax. */
export function toPlace(address: Address): Place {
  const countryCode = address.countryCode.toUpperCase();
  const postalCode = toBareCode(countryCode, address.postalCode ?? '');
  const territoryCountry = TERRITORY_COUNTRIES.get(countryCode);
  if (territoryCountry === 'US') return toUsTerritory(countryCode);
  if (territoryCountry !== undefined) {
    return { country: territoryCountry.country, region: null, ...pick(territoryCountry) };
  }
  const territory = findTerritory(countryCode, postalCode);
  if (territory !== null) return { country: territory.country, region: null, ...pick(territory) };
  const region = toRegion(countryCode, address.state, postalCode);
  return { country: countryCode, region, territory: null, isInEuVat: isEuMember(countryCode) };
}

/**
 * In capitals, without spaces and dashes, and without the letters of the country that many write before it: `E-35001`,
 * `FI-22100`, `GB-BT1 1AA`.
 */
function toBareCode(countryCode: string, postalCode: string): string {
  const compact = postalCode.toUpperCase().replace(/[\s-]/g, '');
  const prefix = LETTERED_COUNTRIES.includes(countryCode) ? /^(GB|CA)(?=[A-Z])/ : /^[A-Z]{1,3}(?=\d)/;
  return compact.replace(prefix, '');
}

function toUsTerritory(region: string): Place {
  return { country: 'US', region, territory: null, isInEuVat: false };
}

function pick({ territory, isInEuVat }: { territory: string; isInEuVat: boolean }) {
  return { territory, isInEuVat };
}

// A given state goes before the postal code: it is what the buyer chose, and codes can cross a border.
function toRegion(countryCode: string, state: string | null, postalCode: string): string | null {
  if (countryCode === 'US') return toRegionCode(US_STATES, state, 'US') ?? stateOfZip(postalCode);
  if (countryCode === 'CA')
    return toRegionCode(CA_PROVINCES, state, 'CA') ?? provinceOfPostalCode(postalCode);
  return null;
}
