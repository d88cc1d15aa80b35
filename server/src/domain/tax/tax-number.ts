import { createRequire } from 'node:module';
import type * as Rules from 'stdnum';
import { isEuMember } from './eu.ts';

export interface TaxNumberCheck {
  valid: boolean;
  /** Capitals without punctuation; with the VAT prefix for the EU (`EL` for Greece) and where XI was written. */
  normalised: string;
}

/** What a register of tax numbers said when it was asked; kept with the sale that rested on it. */
export interface TaxNumberAnswer {
  register: string;
  /** As it was asked: capitals, with its prefix. */
  number: string;
  outcome: 'valid' | 'invalid' | 'no_answer';
  /** Real time (ms). */
  askedAt: number;
  /** Why there is no answer, in the register's word. */
  detail: string | null;
  /** The register's name for this question; null where it gives none. */
  reference: string | null;
}

/** The longest number that is looked at; the longest real one, with country prefix, has 17 characters. */
const MAX_LENGTH = 32;

/** Each member state's VAT number in the library; those of other countries are found by country alone. */
const VAT_NUMBER_BY_COUNTRY: Readonly<Record<string, string>> = {
  AT: 'uid',
  BE: 'vat',
  BG: 'vat',
  CY: 'vat',
  CZ: 'dic',
  DE: 'vat',
  DK: 'cvr',
  EE: 'kmkr',
  ES: 'nif',
  FI: 'alv',
  FR: 'tva',
  GR: 'vat',
  HR: 'oib',
  HU: 'anum',
  IE: 'vat',
  IT: 'iva',
  LT: 'pvm',
  LU: 'tva',
  LV: 'pvn',
  MT: 'vat',
  NL: 'btw',
  PL: 'nip',
  PT: 'nif',
  RO: 'cui',
  SE: 'vat',
  SI: 'ddv',
  SK: 'dph',
  GB: 'vat',
  // One of these is the number that the country's own rules ask a business buyer for.
  AU: 'abn',
  IN: 'gstin',
  KR: 'brn',
  NO: 'mva',
  NZ: 'ird',
  SG: 'uen',
};

/**
 * Checks a business tax number of a country by format and check digit, without asking anybody.
 * EU numbers are taken with or without their prefix; the prefix of another country makes them not valid, and
 * so does a country whose numbers are not known: no tax is waived on a guess.
 */
export function checkTaxNumber(countryCode: string, taxNumber: string): TaxNumberCheck {
  const country = toNumberCountry(countryCode.toUpperCase());
  const compact = toCompact(taxNumber);
  if (compact.length === 0 || compact.length > MAX_LENGTH) return { valid: false, normalised: compact };
  const prefix = findPrefix(country, compact);
  const bare = compact.slice(prefix.length);
  return { valid: isValidNumber(country, bare), normalised: withPrefix(country, prefix, bare) };
}

/** Whether the EU's register knows such numbers: those of member states, and of Northern Ireland. */
export function isInVies(countryCode: string, normalised: string): boolean {
  return isEuMember(toNumberCountry(countryCode.toUpperCase())) || normalised.startsWith('XI');
}

/** With the prefix and two to twelve more: an Italian person's number has sixteen letters and may begin as one for VAT does. */
const VAT_LENGTH = { min: 4, max: 14 };

/** Whether the number is one for VAT, told by the prefix of its country; other numbers of those countries bear none. */
export function hasVatPrefix(countryCode: string, taxNumber: string): boolean {
  const compact = toCompact(taxNumber);
  const hasPrefix = findPrefix(toNumberCountry(countryCode.toUpperCase()), compact) !== '';
  return hasPrefix && compact.length >= VAT_LENGTH.min && compact.length <= VAT_LENGTH.max;
}

const toCompact = (taxNumber: string) => taxNumber.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');

// Monaco's businesses have French numbers, the Isle of Man's British ones.
function toNumberCountry(country: string): string {
  if (country === 'MC') return 'FR';
  return country === 'IM' ? 'GB' : country;
}

function findPrefix(country: string, compact: string): string {
  const prefixes = country === 'GR' ? ['EL', 'GR'] : country === 'GB' ? ['GB', 'XI'] : [country];
  // Outside these a number may well begin with the country's letters without their being a prefix.
  if (!isEuMember(country) && country !== 'GB') return '';
  return prefixes.find((prefix) => compact.startsWith(prefix)) ?? '';
}

function withPrefix(country: string, prefix: string, bare: string): string {
  if (prefix === 'XI') return `XI${bare}`;
  if (country === 'GR') return `EL${bare}`;
  return isEuMember(country) || country === 'GB' ? `${country}${bare}` : bare;
}

function isValidNumber(country: string, bare: string): boolean {
  const name = VAT_NUMBER_BY_COUNTRY[country];
  const { stdnum, validateEntity } = loadRules();
  if (name !== undefined) return stdnum[country]?.[name]?.validate(bare).isValid ?? false;
  return validateEntity(country, bare).isValid ?? false;
}

let rules: typeof Rules | null = null;

/** Loaded with the first number that is checked: the rules of all countries take 15 MiB, and their share of a start. */
function loadRules(): typeof Rules {
  rules ??= createRequire(import.meta.url)('stdnum') as typeof Rules;
  return rules;
}
