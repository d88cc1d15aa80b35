/** The taxes of a document in the categories of EN 16931 (UNTDID 5305): one category and one rate per line. */
import { isEuMember } from '../tax/eu.ts';
import { RATE_ONE_PPM } from '../tax/rate.ts';
import type { SnapshotLine } from './snapshot.ts';

/**
 * S = taxed, Z = at a rate of 0, E = exempt, AE = the recipient owes it, O = not subject to it. G (export) and K
 * (intra-community supply) are for goods, which are not sold here.
 */
export type VatCategory = 'S' | 'Z' | 'E' | 'AE' | 'O';

export interface LineVat {
  category: VatCategory;
  /** All taxes of the line together, in millionths: a line has room for one rate. Null = no rate, as O asks. */
  ratePpm: number | null;
}

/** The lines of one category and rate. */
export interface VatGroup extends LineVat {
  basisMinor: bigint;
  taxMinor: bigint;
  /** Why nothing is taxed; null for S and Z, of which it must not be said. */
  reason: string | null;
  /** Of the EU's list of reasons. */
  reasonCode: string | null;
}

const CATEGORIES: Readonly<Record<string, VatCategory>> = {
  reverse_charge: 'AE',
  exempt: 'E',
  zero_rated: 'Z',
  not_registered: 'O',
  outside_scope: 'O',
};

export function toLineVat({ rates, reason }: SnapshotLine): LineVat {
  const ratePpm = rates.reduce((sum, { percentage }) => sum + Math.round(percentage * 10_000), 0);
  if (ratePpm > 0) return { category: 'S', ratePpm };
  const category = CATEGORIES[reason] ?? 'Z';
  return { category, ratePpm: category === 'O' ? null : 0 };
}

/** In the order in which the lines name them. */
export function groupByVat(lines: readonly SnapshotLine[], sellerCountry: string | null): VatGroup[] {
  const groups = new Map<string, { vat: LineVat; lines: SnapshotLine[] }>();
  for (const line of lines) {
    const vat = toLineVat(line);
    const key = `${vat.category} ${vat.ratePpm}`;
    const group = groups.get(key) ?? { vat, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ vat, lines: members }) => ({
    ...vat,
    basisMinor: members.reduce((sum, { net }) => sum + BigInt(net), 0n),
    taxMinor: members.reduce((sum, { tax }) => sum + BigInt(tax), 0n),
    reason: toReason(vat, members),
    reasonCode: toReasonCode(vat, members, sellerCountry),
  }));
}

const REASONS: Readonly<Record<string, string>> = {
  reverse_charge: 'Reverse charge',
  exempt: 'Exempt from tax',
  not_registered: 'Tax is not collected',
  outside_scope: 'Outside the scope of tax',
};

function toReason({ category }: LineVat, lines: readonly SnapshotLine[]): string | null {
  if (category === 'S' || category === 'Z') return null;
  return [...new Set(lines.map(({ reason }) => REASONS[reason] ?? reason))].join('; ');
}

/** The list is that of the EU's directive: elsewhere the text alone tells. */
function toReasonCode(
  { category }: LineVat,
  lines: readonly SnapshotLine[],
  sellerCountry: string | null,
): string | null {
  if (category === 'O') return isEuMember(sellerCountry ?? '') ? 'VATEX-EU-O' : null;
  if (category !== 'AE') return null;
  const isInEu = lines.every(({ rates }) => rates.every(({ country }) => isEuMember(country)));
  return isInEu ? 'VATEX-EU-AE' : null;
}

/**
 * Whether the tax is basis × rate but for less than one unit of the currency, as the standard's own checks have
 * it: a tax is rounded line by line here, and what was charged is what the document says.
 */
export function isTaxOfBasis({ basisMinor, taxMinor, ratePpm }: VatGroup, unitMinor: bigint): boolean {
  const exactPpm = basisMinor * BigInt(ratePpm ?? 0);
  const driftPpm = taxMinor * RATE_ONE_PPM - exactPpm;
  if (ratePpm === null || ratePpm === 0) return taxMinor === 0n;
  return (driftPpm < 0n ? -driftPpm : driftPpm) < unitMinor * RATE_ONE_PPM;
}
