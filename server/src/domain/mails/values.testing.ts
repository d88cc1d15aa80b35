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
      note: 'Deluxe edition',
      quantity: 2,
      subtotalMinor: 4900,
      totalMinor: 5831,
      taxReason: 'standard',
      keys: ['NEBU-4K2P-99XA-QQ71', 'NEBU-7H3D-18LM-ZZ02'],
      awaitsStock: false,
    },
    {
      id: '2',
      name: 'Soundtrack',
      note: null,
      quantity: 1,
      subtotalMinor: 2499,
      totalMinor: 2515,
      taxReason: 'standard',
      keys: [],
      awaitsStock: false,
    },
  ],
  breakdown: {
    inclusive: false,
    subtotal: 7399,
    discount: 386,
    taxLines: [{ name: 'VAT', country: 'DE', region: null, percentage: 19, amount: 1333 }],
  },
  method: { type: 'card', brand: 'visa', last4: '4242' },
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
    items: [{ name: 'Club Pro', note: null, quantity: 3 }],
  },
  nextPayment: { amountMinor: 2142, taxMinor: 342 },
  refund: {
    amountMinor: 2515,
    creditNoteNumber: 'CN-2026-000007',
    creditNoteUrl: 'https://pay.example.com/invoices/c0ffee.pdf',
  },
  declineReason: 'insufficient_funds',
  consents: ['Deliver now. I know that I lose my right to withdraw once delivery begins.'],
  retryAtMs: AT_MS + 2 * DAY_MS,
  payableUntilMs: AT_MS + DAY_MS,
};

const SUBSCRIPTION = { subscriptionNumber: 'K7QW2M9XTR4B', productName: 'Club Pro' };
const PRICE = { amountMinor: 1190, currency: 'EUR' };
const PAY = { payUrl: 'https://pay.example.com/pay/q8s7d6f5' };
const WEBHOOK = { url: 'https://hooks.example.com/orders', reason: 'connection refused' };

export const SAMPLE_PARAMS: { [K in OtherKind]: MailParams[K] } = {
  trial_ending: { ...SUBSCRIPTION, ...PRICE, taxMinor: 190, endsAtMs: AT_MS },
  renewal_reminder: { ...SUBSCRIPTION, ...PRICE, renewsAtMs: AT_MS },
  card_expiring: { ...SUBSCRIPTION, brand: 'visa', last4: '4242', expires: '04/2026' },
  payment_method_wanted: { ...SUBSCRIPTION, url: 'https://pay.example.com/card/q8s7d6f5' },
  payment_method_gone: { ...SUBSCRIPTION, url: 'https://pay.example.com/card/q8s7d6f5' },
  payment_overdue: { ...SUBSCRIPTION, ...PRICE, ...PAY, endsAtMs: AT_MS },
  subscription_unpaid: { ...SUBSCRIPTION, ...PRICE, ...PAY },
  webhook_blocked: { ...WEBHOOK, reason: 'the address lies in a private network' },
  webhook_failing: WEBHOOK,
  webhook_recovering: { ...WEBHOOK, reason: null },
  webhook_disabled: WEBHOOK,
  low_stock: { offerName: 'Nebula', available: 3 },
  awaiting_stock: { offerName: 'Nebula', orderNumber: 'K7QW2M9XTR4B', missing: 1 },
  dispute_opened: {
    ...PRICE,
    orderNumber: 'K7QW2M9XTR4B',
    reason: 'product_not_received',
    dueAtMs: 1_800_000_000_000,
    processorUrl: 'https://processor.example/disputes/du_1',
  },
  dispute_inquiry: {
    ...PRICE,
    ...{ orderNumber: 'K7QW2M9XTR4B', reason: null, dueAtMs: null, processorUrl: null },
  },
  dispute_excess: { ...PRICE, orderNumber: 'K7QW2M9XTR4B' },
  early_fraud_warning: { ...PRICE, orderNumber: 'K7QW2M9XTR4B', isRefunded: true },
  charge_held: {
    orderNumber: 'K7QW2M9XTR4B',
    paymentNumber: 'K7QW2M9XTR4B-2',
    chargeId: '01985a8e-0000-7000-8000-000000000001',
    expected: { amountMinor: 1999, currency: 'EUR' },
    taken: { amountMinor: 1998, currency: 'EUR' },
  },
  transfer_awaited: {
    ...PRICE,
    orderNumber: 'K7QW2M9XTR4B',
    instructions: { en: 'One order, one transfer.' },
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    holder: 'Muster GmbH',
    dueAtMs: AT_MS,
  },
  payment_processing: { ...PRICE, orderNumber: 'K7QW2M9XTR4B', expectedByMs: AT_MS },
  processor_changed: { name: 'Bank', kind: 'manual' },
  processor_broken: { name: 'Stripe', kind: 'stripe' },
  processor_refund_returned: { amountMinor: 1999, currency: 'EUR', orderNumber: '7F2AGHKXEH8G' },
  processor_refund_lost: { amountMinor: 1999, currency: 'EUR', orderNumber: '7F2AGHKXEH8G' },
  processor_refund_failed: {
    ...{ amountMinor: 1999, currency: 'EUR', orderNumber: '7F2AGHKXEH8G', reason: 'insufficient_funds' },
  },
  refund_delayed: { amountMinor: 1999, currency: 'EUR', orderNumber: '7F2AGHKXEH8G' },
  processor_report: { name: 'Stripe', missing: 1, unknown: 0, differs: 2 },
  processor_silent: { name: 'Stripe', kind: 'stripe' },
  processor_event_parked: { name: 'Stripe', type: 'refund.updated', eventId: 'evt_1Q8aKx2e' },
  checkout_reminder: {
    sessionId: '0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900',
    productName: 'Starfield',
    discountCode: 'COME-BACK',
    resumeUrl: 'https://pay.example.com/checkout/0195?svc-resume=3f9c2a',
    stopUrl: 'https://pay.example.com/portal/nebula/reminders/stop/3f9c2a',
  },
  payer_proof: {
    ...SUBSCRIPTION,
    url: 'https://pay.example.com/pay/q8s7d6f5/prove/3f9c2a',
    validMinutes: 30,
  },
  portal_guarded: { failures: 1001 },
  magic_link: { code: '12345678', url: 'https://pay.example.com/portal/enter/3f9c2a', validMinutes: 15 },
  email_change_code: {
    code: '12345678',
    url: 'https://pay.example.com/portal/nebula/account',
    validMinutes: 15,
  },
  email_change_note: {
    newEmail: 'ada@new.example',
    undoUrl: 'https://pay.example.com/portal/nebula/account/not-me/3f9c2a',
  },
  email_change_taken: {},
  password_reset: { url: 'https://pay.example.com/portal/reset/3f9c2a', validMinutes: 30 },
  withdrawal_received: {
    statementId: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f',
    number: 'W-K7QW2M9XTR4B',
    name: 'Ada Lovelace',
    receivedAtMs: AT_MS,
    confirmationUrl: 'https://pay.example.com/portal/acme/statements/3f9c2a.pdf',
    linkUrl: 'https://pay.example.com/portal/acme/withdraw/object/3f9c2a',
    orderNumber: 'K7QW2M9XTR4B',
    part: 'the soundtrack',
    canObject: true,
  },
  notice_received: {
    statementId: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f',
    number: 'C-K7QW2M9XTR4B',
    name: 'Ada Lovelace',
    receivedAtMs: AT_MS,
    confirmationUrl: 'https://pay.example.com/portal/acme/statements/3f9c2a.pdf',
    linkUrl: 'https://pay.example.com/portal/acme/cancel-contract/keep/3f9c2a',
    contractNumber: 'K7QW2M9XTR4B',
    type: 'cause',
    statedReason: 'It has not worked for weeks.',
    endDateMs: null,
    canKeep: true,
  },
  withdrawal_decided: {
    number: 'W-K7QW2M9XTR4B',
    orderNumber: 'K7QW2M9XTR4B',
    isAccepted: false,
    reason: 'waived',
    note: 'You have played it to the end.',
  },
  notice_decided: { number: 'C-K7QW2M9XTR4B', contractNumber: 'K7QW2M9XTR4B', isAccepted: true, note: null },
  withdrawal_waiting: {
    ...{ number: 'W-K7QW2M9XTR4B', orderNumber: 'K7QW2M9XTR4B' },
    ...{ receivedAtMs: AT_MS, deadlineMs: AT_MS + 14 * DAY_MS },
  },
  notice_waiting: {
    ...{ number: 'C-K7QW2M9XTR4B', contractNumber: 'K7QW2M9XTR4B' },
    ...{ receivedAtMs: AT_MS, deadlineMs: AT_MS + 14 * DAY_MS },
  },
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
      look: {
        logo: null,
        accent: null,
        websiteUrl: 'https://nebula.example',
        termsUrl: 'https://nebula.example/terms',
        privacyUrl: 'https://nebula.example/privacy',
        imprintUrl: 'https://nebula.example/imprint',
      },
    },
    recipient: 'ada@example.com',
    legal: {
      portal: 'https://pay.example.com/portal/acme',
      withdraw: 'https://pay.example.com/portal/acme/withdraw',
      cancel: 'https://pay.example.com/portal/acme/cancel-contract',
    },
    dashboard: 'https://pay.example.com/dashboard/0195/live',
    isTest: false,
  };
}
