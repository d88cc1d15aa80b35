/** Mails of every kind, as tests and pictures of them need: one sample per kind. */
import type { MailKind, MailParams, OtherKind } from './kinds.ts';
import type { MailSale } from './sale.ts';

const AT_MS = Date.UTC(2026, 2, 31, 12);
const DAY_MS = 86_400_000;

export const SAMPLE_SALE: MailSale = {
  orderNumber: 'K7QW2M9XTR4B',
  paymentNumber: 'K7QW2M9XTR4B',
  paymentType: 'one_time',
  atMs: AT_MS,
  period: null,
  currency: 'EUR',
  totalMinor: 8346,
  taxMinor: 1333,
  items: [
    {
      id: '1',
      name: 'Nebula: The Long Way Home',
      variantName: 'Deluxe edition',
      quantity: 2,
      totalMinor: 5831,
      taxReason: 'standard',
      keys: ['NEBU-4K2P-99XA-QQ71', 'NEBU-7H3D-18LM-ZZ02'],
      awaitsStock: false,
    },
    {
      id: '2',
      name: 'Soundtrack',
      variantName: null,
      quantity: 1,
      totalMinor: 2515,
      taxReason: 'standard',
      keys: [],
      awaitsStock: false,
    },
  ],
  method: { brand: 'visa', last4: '4242' },
  invoiceNumber: 'INV-2026-000042',
  invoiceUrl: 'https://pay.example.com/invoices/v5l2kq.pdf',
  purchaseUrl: 'https://pay.example.com/checkout/0195/checkout/0196',
  payUrl: 'https://pay.example.com/pay/q8s7d6f5',
  subscription: {
    number: 'K7QW2M9XTR4B',
    status: 'active',
    trialEndMs: AT_MS + 14 * DAY_MS,
    intervalEndMs: AT_MS + 30 * DAY_MS,
    endedAtMs: AT_MS,
    items: [{ name: 'Club Pro', quantity: 3 }],
  },
  afterTrial: { amountMinor: 2142, taxMinor: 342 },
  refund: {
    amountMinor: 2515,
    creditNoteNumber: 'CN-2026-000007',
    creditNoteUrl: 'https://pay.example.com/invoices/c0ffee.pdf',
  },
  declineReason: 'insufficient_funds',
  retryAtMs: AT_MS + 2 * DAY_MS,
};

const SUBSCRIPTION = { subscriptionNumber: 'K7QW2M9XTR4B', productName: 'Club Pro' };
const PRICE = { amountMinor: 1190, currency: 'EUR' };
const PAY = { payUrl: 'https://pay.example.com/pay/q8s7d6f5' };
const WEBHOOK = { url: 'https://hooks.example.com/orders', reason: 'connection refused' };

export const SAMPLE_PARAMS: { [K in OtherKind]: MailParams[K] } = {
  trial_ending: { ...SUBSCRIPTION, ...PRICE, taxMinor: 190, endsAtMs: AT_MS },
  renewal_reminder: { ...SUBSCRIPTION, ...PRICE, renewsAtMs: AT_MS },
  card_expiring: { ...SUBSCRIPTION, brand: 'visa', last4: '4242', expires: '04/2026' },
  payment_overdue: { ...SUBSCRIPTION, ...PRICE, ...PAY, endsAtMs: AT_MS },
  subscription_unpaid: { ...SUBSCRIPTION, ...PRICE, ...PAY },
  webhook_blocked: { ...WEBHOOK, reason: 'the address lies in a private network' },
  webhook_failing: WEBHOOK,
  webhook_recovering: { ...WEBHOOK, reason: null },
  webhook_disabled: WEBHOOK,
  low_stock: { offerName: 'Nebula', available: 3 },
  awaiting_stock: { offerName: 'Nebula', orderNumber: 'K7QW2M9XTR4B', missing: 1 },
  dispute_opened: { ...PRICE, orderNumber: 'K7QW2M9XTR4B' },
  charge_held: {
    orderNumber: 'K7QW2M9XTR4B',
    paymentNumber: 'K7QW2M9XTR4B-2',
    chargeId: '01985a8e-0000-7000-8000-000000000001',
    expected: { amountMinor: 1999, currency: 'EUR' },
    taken: { amountMinor: 1998, currency: 'EUR' },
  },
  magic_link: { url: 'https://pay.example.com/portal/enter/3f9c2a', validMinutes: 15 },
  password_reset: { url: 'https://pay.example.com/portal/reset/3f9c2a', validMinutes: 30 },
  team_invitation: {
    workspaceName: 'Nebula Works',
    inviterName: 'Grace Hopper',
    url: 'https://pay.example.com/dashboard/join/3f9c2a',
    validDays: 7,
  },
  inactivity_warning: { workspaceName: 'Nebula Works', step: 'purged', atMs: AT_MS },
};

/** What a kind is written from; for those about a sale, the sample sale with its changes. */
export function sampleOf(kind: MailKind, language: string, changes: Partial<MailSale> = {}) {
  return {
    kind,
    language,
    params: (SAMPLE_PARAMS as Record<string, object>)[kind] ?? {},
    sale: { ...SAMPLE_SALE, ...changes },
    sender: {
      name: 'Nebula Works',
      email: 'help@nebula.example',
      address: ['Sternstraße 7', '20357 Hamburg'],
    },
    isTest: false,
  };
}
