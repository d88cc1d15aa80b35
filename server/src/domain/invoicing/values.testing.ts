/** Snapshots for tests. */
import { toNumber } from '../money/money.ts';
import type { DiscountTerms } from '../pricing/discount.ts';
import { computeTotals, type LineTotals, type PricedLine } from '../pricing/totals.ts';
import { type LineTaxRule, toPercentage } from '../tax/rate.ts';
import { type Party, type Snapshot, type SnapshotLine, type SnapshotRate, sumTaxes } from './snapshot.ts';

const PARTY: Party = {
  name: 'Acme GmbH',
  address: 'Hauptstraße 12',
  addressLine2: null,
  city: 'Berlin',
  state: null,
  postalCode: '10115',
  country: 'DE',
  taxNumber: 'DE136695976',
  registrationNumber: null,
  email: 'billing@acme.example',
};

export function makeRate(fields: Partial<SnapshotRate> = {}): SnapshotRate {
  const rate = { name: 'VAT', country: 'DE', region: null, percentage: 19, reason: 'standard' };
  return { ...rate, taxable: 4900, amount: 931, ...fields };
}

export function makeLine(fields: Partial<SnapshotLine> = {}): SnapshotLine {
  return {
    name: 'Nebula',
    detail: null,
    internalId: null,
    unitPrice: 4900,
    quantity: 1,
    inclusive: false,
    discount: 0,
    net: 4900,
    tax: 931,
    total: 5831,
    reason: 'standard',
    rates: [makeRate()],
    periodStart: null,
    periodEnd: null,
    ...fields,
  };
}

export function makeSnapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    kind: 'invoice',
    testMode: false,
    orderNumber: '7K2M9QX4T0AB',
    paymentNumber: '7K2M9QX4T0AB',
    currency: 'EUR',
    seller: PARTY,
    buyer: { ...PARTY, name: 'Ada Lovelace', taxNumber: null, email: 'ada@example.com' },
    lines: [makeLine()],
    taxes: [makeRate()],
    discountName: null,
    net: 4900,
    tax: 931,
    total: 5831,
    sentences: [],
    method: { type: 'card', brand: 'visa', last4: '4242' },
    paidAt: Date.UTC(2026, 10, 21),
    refersTo: null,
    creditReason: null,
    footer: null,
    logoFileId: null,
    number: 'INV-2026-000001',
    finalisedAt: Date.UTC(2026, 10, 21),
    ...fields,
  };
}

export interface SoldCart {
  lines: readonly PricedLine[];
  rule: (line: PricedLine) => LineTaxRule;
  discount?: DiscountTerms | null;
}

/** The invoice of a cart, with the sums that a purchase of it comes to. */
export function makeSoldInvoice({ lines, rule, discount = null }: SoldCart, fields: Partial<Snapshot> = {}) {
  const sold = computeTotals({ lines, discount, tax: rule }).lines.map(toSoldLine);
  const sum = (of: (line: SnapshotLine) => number) => sold.reduce((total, line) => total + of(line), 0);
  return makeSnapshot({
    lines: sold,
    taxes: sumTaxes(sold),
    discountName: discount?.name ?? null,
    net: sum(({ net }) => net),
    tax: sum(({ tax }) => tax),
    total: sum(({ total }) => total),
    ...fields,
  });
}

function toSoldLine(line: LineTotals): SnapshotLine {
  return makeLine({
    unitPrice: toNumber(line.unitPriceMinor),
    quantity: line.quantity,
    inclusive: line.inclusive,
    discount: toNumber(line.discountMinor),
    net: toNumber(line.netMinor),
    tax: toNumber(line.taxMinor),
    total: toNumber(line.totalMinor),
    reason: line.rule.reason,
    rates: line.rates.map((rate) => ({
      name: rate.name,
      country: rate.country,
      region: rate.region,
      percentage: toPercentage(rate.ratePpm),
      reason: rate.reason,
      taxable: toNumber(rate.taxableMinor),
      amount: toNumber(rate.amountMinor),
    })),
  });
}
