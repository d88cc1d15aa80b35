/**
 * What an invoice or a credit note says, kept once and for all: the document is made from this alone. It
 * holds what EN 16931 asks of an invoice. Amounts are minor units of the currency, times ms.
 */

import type { Language } from '../languages.ts';

/** Seller or buyer; null where nothing is known. */
export interface Party {
  name: string;
  address: string | null;
  addressLine2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  taxNumber: string | null;
  registrationNumber: string | null;
  email: string | null;
}

/** One tax as the line was taxed with it; `taxable` and `amount` are the line's. */
export interface SnapshotRate {
  name: string;
  country: string;
  region: string | null;
  percentage: number;
  reason: string;
  taxable: number;
  amount: number;
}

/** The inputs of the line's sum and its outcome: net + tax = total. */
export interface SnapshotLine {
  name: string;
  detail: string | null;
  /** The merchant's own id of what was sold. */
  internalId: string | null;
  unitPrice: number;
  quantity: number;
  /** Whether unit price and discount have the tax within. */
  inclusive: boolean;
  discount: number;
  net: number;
  tax: number;
  total: number;
  reason: string;
  rates: SnapshotRate[];
  /** What a renewal pays for. */
  periodStart: number | null;
  periodEnd: number | null;
}

export interface SnapshotBody {
  version: 1;
  kind: 'invoice' | 'credit_note';
  /** Of the document's words; one that was made before there were several has none and is in English. */
  language?: Language;
  testMode: boolean;
  orderNumber: string;
  paymentNumber: string;
  currency: string;
  seller: Party;
  buyer: Party;
  lines: SnapshotLine[];
  /** The lines' rates, each with its sums over all lines. */
  taxes: SnapshotRate[];
  discountName: string | null;
  net: number;
  tax: number;
  total: number;
  /** What the law asks to be said, such as the reverse charge's sentence. */
  sentences: string[];
  method: { type: string; brand: string | null; last4: string | null } | null;
  /** When the money moved. */
  paidAt: number;
  /** The invoice that a credit note belongs to, and why it was made. */
  refersTo: { number: string; finalisedAt: number } | null;
  creditReason: string | null;
  footer: string | null;
  /** The id of an uploaded picture. */
  logoFileId: string | null;
}

/** The number and moment are given last, by the store that counts them. */
export interface Snapshot extends SnapshotBody {
  number: string;
  finalisedAt: number;
}

/** Reads what the store kept; it was written by us. */
export function parseSnapshot(text: string): Snapshot {
  return JSON.parse(text) as Snapshot;
}

/** The sums of each tax over the lines, in the order in which the lines name them. */
export function sumTaxes(lines: readonly SnapshotLine[]): SnapshotRate[] {
  const sums = new Map<string, SnapshotRate>();
  for (const rate of lines.flatMap((line) => line.rates)) {
    const key = toRateKey(rate);
    const sum = sums.get(key);
    if (sum) {
      sum.taxable += rate.taxable;
      sum.amount += rate.amount;
    } else sums.set(key, { ...rate });
  }
  return [...sums.values()];
}

/** What makes two rates the same tax. */
export function toRateKey({ name, country, region, percentage, reason }: SnapshotRate): string {
  return JSON.stringify([name, country, region, percentage, reason]);
}
