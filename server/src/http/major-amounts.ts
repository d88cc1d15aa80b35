/**
 * Prices in the requests of key pairs that were made with major units: 19.99 where others say 1999. They are brought to
 * minor units before the body is validated; refunds, corrections, filters and every answer are minor for all.
 */
import type { TSchema } from 'typebox';
import { invalidField } from '../domain/errors.ts';
import { currencyDecimals, isCurrency } from '../domain/money/currency.ts';
import type { PropertySchema } from './query.ts';

/** What an object's prices are in where the request does not say. */
export interface PriceTerms {
  currency: string | null;
  /** Of a discount that exists. */
  amountType?: 'fixed' | 'percentage';
}

type Convert = (object: Record<string, unknown>, terms: PriceTerms, path: string) => void;

/** Made once of an operation's schema; null where it has no price. */
export function createMajorReader(
  schema: TSchema | undefined,
): ((body: unknown, terms: PriceTerms) => void) | null {
  // A TypeBox schema is plain JSON schema.
  const convert = toConvert((schema ?? {}) as unknown as PropertySchema);
  return convert && ((body, terms) => isObject(body) && convert(body, terms, ''));
}

function toConvert(schema: PropertySchema): Convert | null {
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const convert = toFieldConvert(name, property);
    return convert ? [convert] : [];
  });
  if (parts.length === 0) return null;
  return (object, terms, path) => {
    // A line may say another currency than the request.
    const own = typeof object.currency === 'string' ? { ...terms, currency: object.currency } : terms;
    for (const part of parts) part(object, own, path);
  };
}

function toFieldConvert(name: string, schema: PropertySchema): Convert | null {
  const mark = schema['x-price'];
  if (mark !== undefined) return (object, terms, path) => convertPrice({ object, name, mark, path }, terms);
  const inner = toConvert(schema.items ?? schema);
  if (!inner) return null;
  return (object, terms, path) => {
    const value = object[name];
    if (isObject(value)) inner(value, terms, `${path}${name}.`);
    if (!Array.isArray(value)) return;
    for (const [at, one] of value.entries()) if (isObject(one)) inner(one, terms, `${path}${name}.${at}.`);
  };
}

interface Price {
  object: Record<string, unknown>;
  name: string;
  mark: 'always' | 'fixed';
  path: string;
}

function convertPrice({ object, name, mark, path }: Price, terms: PriceTerms): void {
  const value = object[name];
  const { currency } = terms;
  // Without a currency there is no price: the operation itself asks for one.
  if (value === undefined || value === null || currency === null || !isCurrency(currency)) return;
  if (mark === 'fixed' && (object.amountType ?? terms.amountType) !== 'fixed') return;
  const decimals = currencyDecimals(currency);
  const minor = typeof value === 'number' ? toMinorUnits(value, decimals) : null;
  if (typeof value !== 'number' || minor === null)
    throw invalidField(`${path}${name}`, `must be a number with at most ${decimals} decimals`);
  if (!isExact(value, minor, decimals))
    throw invalidField(`${path}${name}`, 'is a number too large to be read exactly');
  object[name] = minor;
}

/** By the digits as they are written: 19.99 × 100 is not 1999 in binary. Null for more decimals than there are. */
function toMinorUnits(value: number, decimals: number): number | null {
  const [whole = '', fraction = ''] = String(value).split('.');
  if (!/^-?\d+$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > decimals) return null;
  return Number(`${whole}${fraction.padEnd(decimals, '0')}`);
}

/**
 * Whether no other price is the same number to us: from 2^46 on two that are a cent apart are one in binary, and which
 * of them was sent cannot be told.
 */
function isExact(value: number, minor: number, decimals: number): boolean {
  if (Number.isInteger(value)) return true;
  return [minor - 1, minor + 1].every((other) => Number(`${other}e-${decimals}`) !== value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
