/** Every kind of mail, and what its text is written from. */

interface DisputeFacts extends Money {
  orderNumber: string;
  /** These three are missing in mails of before. */
  reason?: string | null;
  dueAtMs?: number | null;
  /** Where it is answered. */
  processorUrl?: string | null;
}

interface Money {
  /** Minor units, within what JSON carries exactly. */
  amountMinor: number;
  currency: string;
}

interface SubscriptionFacts {
  /** The number that the buyer knows it by: its initial order's. */
  subscriptionNumber: string;
  productName: string;
}

interface Debt extends SubscriptionFacts, Money {
  /** The page where what is owed can be paid. */
  payUrl: string;
}

interface WebhookFacts {
  url: string;
  /** Why the last attempt failed, in a line for people: in English, and as the network says it. */
  reason: string | null;
  /** What kind of failure it was, or what the receiver answered; neither in mails that were asked for earlier. */
  failure?: 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked' | null;
  statusCode?: number | null;
}

interface Received {
  statementId: string;
  number: string;
  name: string;
  receivedAtMs: number;
  /** Of the PDF. */
  confirmationUrl: string;
  linkUrl?: string;
}

/** Written from a sale alone: the event's snapshot, or the order as it stands. */
type OfSale = Record<string, never>;

/**
 * What each kind is given beside the store's own settings. Times are ms on the workspace's clock; all of it is
 * stored as JSON.
 */
export interface MailParams {
  receipt: OfSale;
  free_claim: OfSale;
  /** Keys that were bought before they were in stock. */
  key_delivery: { itemIds: string[] };
  subscription_started: OfSale;
  trial_started: OfSale;
  subscription_renewed: OfSale;
  payment_failed: OfSale;
  refund: OfSale;
  subscription_changed: OfSale;
  subscription_cancelled: OfSale;
  /** Set to end with its interval. */
  subscription_ending: OfSale;
  /** Without the tax: queued by a release that did not tell it. */
  trial_ending: SubscriptionFacts & Money & { taxMinor?: number; endsAtMs: number };
  renewal_reminder: SubscriptionFacts & Money & { renewsAtMs: number };
  /** `expires` as it stands on the card: `04/2027`. */
  card_expiring: SubscriptionFacts & {
    brand: string | null;
    last4: string | null;
    expires: string;
    /** Where another card is given. */
    cardUrl?: string;
  };
  /** A subscription came from another service, and its card did not. */
  payment_method_wanted: SubscriptionFacts & { url: string };
  /** What it was paid with is gone at its processor. */
  payment_method_gone: SubscriptionFacts & { url: string };
  /** A step of dunning at which nothing is charged, since the card was refused for good. */
  payment_overdue: Debt & { endsAtMs: number | null };
  /** The last step: access is off until what is owed is paid. */
  subscription_unpaid: Debt;
  webhook_blocked: WebhookFacts;
  webhook_failing: WebhookFacts;
  webhook_recovering: WebhookFacts;
  webhook_disabled: WebhookFacts;
  low_stock: { offerName: string; available: number };
  awaiting_stock: { offerName: string; orderNumber: string; missing: number };
  dispute_opened: DisputeFacts;
  /** A bank asks before it takes anything. */
  dispute_inquiry: DisputeFacts;
  /** A bank took more than was left of its payment. */
  dispute_excess: Money & { orderNumber: string };
  /** The issuer of a card fears a fraud. */
  early_fraud_warning: Money & { orderNumber: string; isRefunded: boolean };
  /** So many codes and passwords were wrong that somebody must be guessing. */
  portal_guarded: { failures: number };
  /** Other money than was asked for: somebody is to accept it or send it back. */
  charge_held: {
    orderNumber: string;
    paymentNumber: string;
    chargeId: string;
    expected: Money;
    taken: Money;
  };
  /** Where to send the money of an order, or of a period. */
  transfer_awaited: Money & {
    orderNumber: string;
    instructions: Record<string, string>;
    iban: string | null;
    bic: string | null;
    holder: string | null;
    dueAtMs: number;
  };
  /** A method that takes days: until when it is decided. */
  payment_processing: Money & { orderNumber: string; expectedByMs: number };
  /** A purchase that was begun and not finished. The links are added when it is written. */
  checkout_reminder: {
    sessionId: string;
    productName: string;
    /** Filled in where the mail leads. */
    discountCode: string | null;
    resumeUrl?: string;
    stopUrl?: string;
  };
  /** Of live: by whom money is taken was changed. */
  processor_changed: { name: string; kind: string };
  /** Its account lets us in no more: nothing is charged over it. */
  processor_broken: { name: string; kind: string };
  processor_silent: { name: string; kind: string };
  /** What a processor told could not be read, again and again. */
  processor_event_parked: { name: string; type: string; eventId: string };
  /** A refund came back from the buyer's bank: it is to be paid outside. */
  processor_refund_returned: Money & { orderNumber: string };
  /** Its processor never said what became of a refund: a person looks whether the buyer has it. */
  processor_refund_lost: Money & { orderNumber: string };
  /** A refund that waited was not made; `reason`: the processor's word for why. */
  processor_refund_failed: Money & { orderNumber: string; reason: string };
  /** Of one that came back, for the buyer. */
  refund_delayed: Money & { orderNumber: string };
  /** Its books and ours differ by what no rule explains: numbers of findings. */
  processor_report: { name: string; missing: number; unknown: number; differs: number };
  /** A link that was asked for on the page of what is owed: whoever has it may charge the stored card. */
  payer_proof: SubscriptionFacts & { url: string; validMinutes: number };
  /** What a buyer stated was received: no acceptance. `linkUrl` is added when it is written. */
  withdrawal_received: Received & {
    orderNumber: string;
    part: string | null;
    /** What was ticked, in words; missing in mails of before. */
    items?: string | null;
    canObject: boolean;
  };
  notice_received: Received & {
    contractNumber: string;
    type: 'ordinary' | 'cause';
    statedReason: string | null;
    endDateMs: number | null;
    canKeep: boolean;
  };
  withdrawal_decided: {
    number: string;
    orderNumber: string;
    isAccepted: boolean;
    reason: 'late' | 'waived' | 'business' | 'excluded' | 'elsewhere' | 'other' | null;
    note: string | null;
  };
  notice_decided: { number: string; contractNumber: string; isAccepted: boolean; note: string | null };
  /** Somebody has to decide before the deadline. */
  withdrawal_waiting: { number: string; orderNumber: string; receivedAtMs: number; deadlineMs: number };
  notice_waiting: { number: string; contractNumber: string; receivedAtMs: number; deadlineMs: number };
  /** Lets a buyer into the portal: the code anywhere, the link in the browser that asked. */
  magic_link: { code: string; url: string; validMinutes: number };
  /** A buyer wants to be reached here: the code says that they read this mailbox. */
  email_change_code: { code: string; url: string; validMinutes: number };
  /** To the mailbox of before, which may say that it was not them. */
  email_change_note: { newEmail: string; undoUrl: string };
  /** Somebody else wanted to take this address, which is a buyer's already. */
  email_change_taken: Record<string, never>;
  password_reset: { url: string; validMinutes: number };
  team_invitation: { workspaceName: string; inviterName: string | null; url: string; validDays: number };
  inactivity_warning: { workspaceName: string; step: 'suspended' | 'archived' | 'purged'; atMs: number };
}

export type MailKind = keyof MailParams;

/** Kinds that are about a sale: their text needs its items and amounts. */
export const SALE_KINDS = [
  'receipt',
  'free_claim',
  'key_delivery',
  'subscription_started',
  'trial_started',
  'subscription_renewed',
  'payment_failed',
  'refund',
  'subscription_changed',
  'subscription_ending',
  'subscription_cancelled',
] as const satisfies readonly MailKind[];

export type SaleKind = (typeof SALE_KINDS)[number];

/** Kinds written from their params alone. */
export const OTHER_KINDS = [
  'trial_ending',
  'renewal_reminder',
  'card_expiring',
  'payment_method_wanted',
  'payment_method_gone',
  'payment_overdue',
  'subscription_unpaid',
  'webhook_blocked',
  'webhook_failing',
  'webhook_recovering',
  'webhook_disabled',
  'low_stock',
  'awaiting_stock',
  'dispute_opened',
  'dispute_inquiry',
  'dispute_excess',
  'early_fraud_warning',
  'portal_guarded',
  'charge_held',
  'processor_changed',
  'processor_broken',
  'processor_silent',
  'processor_event_parked',
  'processor_report',
  'processor_refund_returned',
  'processor_refund_lost',
  'processor_refund_failed',
  'refund_delayed',
  'transfer_awaited',
  'payment_processing',
  'checkout_reminder',
  'payer_proof',
  'withdrawal_received',
  'notice_received',
  'withdrawal_decided',
  'notice_decided',
  'withdrawal_waiting',
  'notice_waiting',
  'magic_link',
  'email_change_code',
  'email_change_note',
  'email_change_taken',
  'password_reset',
  'team_invitation',
  'inactivity_warning',
] as const satisfies readonly Exclude<MailKind, SaleKind>[];

export type OtherKind = (typeof OTHER_KINDS)[number];

export const MAIL_KINDS: readonly MailKind[] = [...SALE_KINDS, ...OTHER_KINDS];

/** Mails that let whoever holds them in: of live stores their text is kept nowhere. */
export const SECRET_KINDS: readonly string[] = [
  'payer_proof',
  'magic_link',
  'email_change_code',
  'email_change_note',
  'password_reset',
  'team_invitation',
];

export function isSaleKind(kind: string): kind is SaleKind {
  return (SALE_KINDS as readonly string[]).includes(kind);
}

/** Parts of an event's snapshot by which the mail is chosen. */
export interface Told {
  type: string;
  paymentType: string | null;
  subscriptionStatus: string | null;
  /** False for a subscription that was never paid for. */
  hasStarted: boolean;
}

/**
 * The one mail to the buyer that follows from an event, or null. A declined first payment makes none, where the
 * buyer sits before the page that says so; of one that failed days later its event names the mail.
 */
export function chooseMailKind({ type, paymentType, ...told }: Told): SaleKind | null {
  switch (type) {
    case 'payment_success':
      return chooseReceiptKind(paymentType, told.subscriptionStatus);
    case 'payment_failed':
      return paymentType === 'subscription_interval' || paymentType === 'subscription_update'
        ? 'payment_failed'
        : null;
    case 'payment_refunded':
      return 'refund';
    case 'subscription_cancelled':
      return told.hasStarted ? 'subscription_cancelled' : null;
    default:
      return null;
  }
}

function chooseReceiptKind(paymentType: string | null, subscriptionStatus: string | null): SaleKind | null {
  switch (paymentType) {
    case 'claim_free':
      return 'free_claim';
    case 'subscription_initial':
      return subscriptionStatus === 'trialing' ? 'trial_started' : 'subscription_started';
    case 'subscription_interval':
      return 'subscription_renewed';
    case 'one_time':
    case 'subscription_update':
    case 'subscription_extra':
      return 'receipt';
    default:
      return null;
  }
}
