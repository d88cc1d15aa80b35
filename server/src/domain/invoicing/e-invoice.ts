/**
 * A document as EN 16931 asks for it, from its snapshot; the BT and BG numbers are the standard's. Where the
 * snapshot lacks what the standard must have, there is none: half an e-invoice is refused by who reads it.
 */
import { isCountry } from '../countries.ts';
import { currencyDecimals } from '../money/currency.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import { RATE_ONE_PPM } from '../tax/rate.ts';
import type { Party, Snapshot, SnapshotLine } from './snapshot.ts';
import { groupByVat, isTaxOfBasis, type LineVat, toLineVat, type VatGroup } from './vat-category.ts';

export interface EInvoice {
  snapshot: Snapshot;
  seller: EParty;
  buyer: EParty;
  lines: ELine[];
  vat: VatGroup[];
  /** BT-22, one each. */
  notes: string[];
}

/** A party with its numbers where the standard wants them. */
export interface EParty {
  party: Party;
  /** ISO 3166-1, with the code list's own word for Kosovo. */
  country: string;
  /** BT-29, BT-46: any identifier. */
  id: string | null;
  /** BT-30, BT-47. */
  registrationNumber: string | null;
  /** BT-31, BT-48: with the prefix of its country. */
  vatNumber: string | null;
  /** BT-32: a tax number without a country's prefix. */
  taxNumber: string | null;
}

export interface ELine {
  line: SnapshotLine;
  /** BT-129; negative for a credit, since a price must not be. */
  quantity: number;
  /** BT-146 for as many as BT-149 says: all of them where the amount does not divide. */
  priceMinor: bigint;
  priceQuantity: number;
  /** BT-136, without tax. */
  allowanceMinor: bigint;
  vat: LineVat;
}

/** Codes of ours that the standard's list does not hold: withdrawn ones, and STN. */
const CURRENCIES_UNKNOWN = new Set(['ANG', 'BGN', 'HRK', 'MRO', 'SLL', 'STN', 'VEF']);

/** Null where something that must be there is not, or cannot be said. */
export function planEInvoice(snapshot: Snapshot): EInvoice | null {
  const { currency } = snapshot;
  const vat = groupByVat(snapshot.lines, snapshot.seller.country);
  const isOutside = vat.some(({ category }) => category === 'O');
  const seller = toSeller(snapshot.seller, isOutside);
  const buyer = toBuyer(snapshot.buyer, vat);
  if (seller === null || buyer === null || CURRENCIES_UNKNOWN.has(currency)) return null;
  if (snapshot.lines.length === 0 || snapshot.lines.some(({ name }) => name.trim() === '')) return null;
  // Of what is not subject to VAT nothing else may stand beside it.
  if (isOutside && vat.length > 1) return null;
  if (!isOutside && seller.vatNumber === null && seller.taxNumber === null) return null;
  const lines = snapshot.lines.map(toLine);
  if (!sumsUp(snapshot, vat) || !hasTwoDecimals(snapshot, lines, vat)) return null;
  return { snapshot, seller, buyer, lines, vat, notes: toNotes(snapshot) };
}

function toSeller(party: Party, isOutside: boolean): EParty | null {
  const country = toCountry(party.country);
  if (party.name.trim() === '' || country === null) return null;
  const number = clean(party.taxNumber);
  const isVat = number !== null && isVatNumber(number);
  const vatNumber = isVat && !isOutside ? number : null;
  const taxNumber = isVat ? null : number;
  const registrationNumber = clean(party.registrationNumber);
  const isKnown = vatNumber !== null || registrationNumber !== null;
  if (!isKnown && number === null) return null;
  return { party, country, id: isKnown ? null : number, registrationNumber, vatNumber, taxNumber };
}

function toBuyer(party: Party, vat: readonly VatGroup[]): EParty | null {
  const country = toCountry(party.country);
  if (party.name.trim() === '' || country === null) return null;
  const isReversed = vat.some(({ category }) => category === 'AE');
  const isOutside = vat.some(({ category }) => category === 'O');
  const number = clean(party.taxNumber);
  if (isReversed && number === null) return null;
  const vatNumber = number !== null && isVatNumber(number) && !isOutside ? number : null;
  const other = vatNumber === null ? number : null;
  // A number without a country's prefix names whom the tax passes to by registration.
  const registrationNumber = isReversed ? other : null;
  return {
    party,
    country,
    id: isReversed ? null : other,
    registrationNumber,
    vatNumber,
    taxNumber: null,
  };
}

function clean(number: string | null): string | null {
  return number?.trim() || null;
}

/** Kosovo is 1A to the standard; South Sudan its list has left out. */
function toCountry(country: string | null): string | null {
  if (country === null || country === 'SS' || !isCountry(country)) return null;
  return country === 'XK' ? '1A' : country;
}

/** A number with the prefix of its country; Greece's is EL, Northern Ireland's XI. */
function isVatNumber(number: string): boolean {
  const prefix = number.slice(0, 2);
  return prefix === 'EL' || prefix === 'XI' || toCountry(prefix) === prefix;
}

function toLine(line: SnapshotLine): ELine {
  const vat = toLineVat(line);
  const netMinor = BigInt(line.net);
  const allowanceMinor = toAllowance(line, vat);
  const amountMinor = netMinor + allowanceMinor;
  const count = BigInt(line.quantity);
  const priceMinor = amountMinor < 0n ? -amountMinor : amountMinor;
  const divides = priceMinor % count === 0n;
  return {
    line,
    quantity: amountMinor < 0n ? -line.quantity : line.quantity,
    priceMinor: divides ? priceMinor / count : priceMinor,
    priceQuantity: divides ? 1 : line.quantity,
    allowanceMinor,
    vat,
  };
}

/** The discount without the tax within it. A credit's is in its price already: there is no negative allowance. */
function toAllowance({ discount, inclusive }: SnapshotLine, { ratePpm }: LineVat): bigint {
  if (discount <= 0) return 0n;
  if (!inclusive) return BigInt(discount);
  return divideHalfAwayFromZero(BigInt(discount) * RATE_ONE_PPM, RATE_ONE_PPM + BigInt(ratePpm ?? 0));
}

function sumsUp({ net, tax, total, currency }: Snapshot, vat: readonly VatGroup[]): boolean {
  const unitMinor = 10n ** BigInt(currencyDecimals(currency));
  const basisMinor = vat.reduce((sum, group) => sum + group.basisMinor, 0n);
  const taxMinor = vat.reduce((sum, group) => sum + group.taxMinor, 0n);
  return (
    basisMinor === BigInt(net) &&
    taxMinor === BigInt(tax) &&
    net + tax === total &&
    vat.every((group) => isTaxOfBasis(group, unitMinor))
  );
}

/** The standard knows no third decimal of an amount, but of a price. */
function hasTwoDecimals(
  { total, currency }: Snapshot,
  lines: readonly ELine[],
  vat: readonly VatGroup[],
): boolean {
  if (currencyDecimals(currency) < 3) return true;
  const amounts = [
    BigInt(total),
    ...lines.flatMap(({ line, allowanceMinor }) => [BigInt(line.net), allowanceMinor]),
    ...vat.flatMap(({ basisMinor, taxMinor }) => [basisMinor, taxMinor]),
  ];
  return amounts.every((minor) => minor % 10n === 0n);
}

function toNotes(snapshot: Snapshot): string[] {
  const { testMode, sentences, taxes, creditReason, footer } = snapshot;
  const taxed = taxes.filter(({ percentage }) => percentage > 0);
  const names = taxed.map(({ name, percentage, country, region }) => {
    return `${name} ${percentage}% (${[country, region].filter(Boolean).join('-')})`;
  });
  return [
    testMode ? 'Test mode: no money moved, no tax document' : null,
    ...sentences,
    // The standard has one word for all taxes, and one rate for a line.
    taxed.some(({ name }) => name !== 'VAT') ? `Taxes: ${names.join(', ')}` : null,
    creditReason === null ? null : `Reason: ${creditReason.replaceAll('_', ' ')}`,
    footer,
  ].filter((note) => note !== null && note.trim() !== '') as string[];
}
