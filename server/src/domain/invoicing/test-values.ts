/** Snapshots for tests. */
import type { Party, Snapshot, SnapshotLine, SnapshotRate } from './snapshot.ts';

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
