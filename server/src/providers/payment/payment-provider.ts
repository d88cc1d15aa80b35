/**
 * The port to a payment processor. Everything a flow branches on is a value: a decline, a needed
 * authentication and a time-out are outcomes, never exceptions, and a time-out is `unknown`, never failed.
 *
 * The id of our own row (charge, refund) is the idempotency key of every outward call: the same call again,
 * also at the same time from another process, moves no more money and answers what stands by then.
 * A call is never made inside a database transaction. `nowMs` is always the workspace's clock.
 */

/** One store of one workspace: nothing of it is seen from another. */
export interface ProviderScope {
  workspaceId: string;
  testMode: boolean;
}

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';

export type CardWallet =
  | 'amex_express_checkout'
  | 'apple_pay'
  | 'google_pay'
  | 'link'
  | 'masterpass'
  | 'samsung_pay'
  | 'visa_checkout';

export type ChargeMethod =
  /** A card typed in by the buyer: never logged, never stored as it is. `cvc` null = the method has none. */
  | {
      kind: 'card';
      number: string;
      expiry: string;
      cvc: string | null;
      holder: string | null;
      wallet?: CardWallet;
    }
  /** The `storedReference` of an earlier outcome, or a reference that the merchant brought along. */
  | { kind: 'stored'; reference: string }
  | { kind: 'bank_transfer' };

export interface ChargeRequest {
  scope: ProviderScope;
  /** The id of our charge row. */
  chargeId: string;
  /** Minor units of `currency`; 0 only takes and stores the method. */
  amountMinor: bigint;
  currency: string;
  /** Our user's id: what the processor knows about a method, it knows per customer. */
  customerReference: string;
  method: ChargeMethod;
  /** The buyer is not there: renewals, retries, charges through the API. */
  offSession: boolean;
  nowMs: number;
}

/** The API's `charge.paymentMethod`, as stored and answered. */
export interface PaymentMethodDetails {
  /** `card` or `bank_transfer`. */
  type: string;
  brand: CardBrand | null;
  last4: string | null;
  card: {
    brand: CardBrand | null;
    last4: string | null;
    /** ISO 3166-1 alpha-2. */
    country: string | null;
    network: string | null;
    wallet: { type: CardWallet; dynamicLast4: string | null } | null;
  } | null;
}

export interface CardExpiry {
  year: number;
  /** 1 to 12. */
  month: number;
}

/** A soft decline may be tried again, a hard one only with another method; technical is nobody's fault. */
export type DeclineKind = 'soft' | 'hard' | 'technical';

export interface SucceededCharge {
  kind: 'succeeded';
  processorId: string;
  /** What was taken, in minor units of `currency`: the caller compares it with what it asked for. */
  amountMinor: bigint;
  currency: string;
  /** What the processor keeps, in the charge's currency; it is not given back on a refund. */
  feeMinor: bigint;
  method: PaymentMethodDetails;
  /** Charges the same method again, off-session; null when the method can not be kept. */
  storedReference: string | null;
  /** Evidence of the buyer's location; null when the method says nothing. */
  cardCountry: string | null;
  /** The last month in which the card can be charged; null when the processor does not tell, or there is no card. */
  cardExpiry: CardExpiry | null;
  /** When to ask for a dispute, of a processor that does not tell of one by itself. */
  disputeLookAtMs?: number;
}

export interface DeclinedCharge {
  kind: 'declined';
  /** Null when the processor kept nothing of the charge; `lookUp` then answers `absent`. */
  processorId: string | null;
  method: PaymentMethodDetails;
  decline: DeclineKind;
  /** A stable word; `canceled` = the charge was cancelled by us. */
  reason: string;
  /** For the buyer. */
  message: string;
}

export type ChargeOutcome =
  | SucceededCharge
  /** The buyer must go to `actionPath` (a path on our host or an absolute URL of the processor). */
  | { kind: 'needs_action'; processorId: string; method: PaymentMethodDetails; actionPath: string }
  /** The processor has it and has not settled it yet. */
  | { kind: 'pending'; processorId: string; method: PaymentMethodDetails; lookAgainAtMs: number }
  | DeclinedCharge
  /** No answer that can be trusted, or the processor itself does not know: the money may have been taken. */
  | { kind: 'unknown'; lookAgainAtMs: number | null }
  /** Card details that no charge can be made with; nothing was stored. */
  | { kind: 'invalid'; field: 'number' | 'expiry' | 'cvc'; message: string };

/** A charge that the processor has; card details were checked before it came to be. */
export type StandingOutcome = Exclude<ChargeOutcome, { kind: 'invalid' }>;

export type LookUpOutcome =
  | StandingOutcome
  /**
   * The processor has never seen the charge. It says nothing of a call that is still under way: only a cancelled
   * charge takes no money any more.
   */
  | { kind: 'absent' }
  /** The question was lost: nothing is known that was not known before. */
  | { kind: 'no_answer' };

export type CancelOutcome =
  /**
   * Nothing was taken and nothing will be: also for a declined or an already cancelled charge, and for one that the
   * processor has never seen, whose id it refuses from now on.
   */
  { kind: 'cancelled' } | { kind: 'taken'; outcome: SucceededCharge } | { kind: 'unknown' };

export type RefundOutcome =
  | { kind: 'succeeded'; processorId: string }
  | { kind: 'pending'; processorId: string; lookAgainAtMs: number }
  | { kind: 'failed'; reason: string; message: string }
  | { kind: 'unknown'; lookAgainAtMs: number | null };

/** What the buyer's bank says of a charge that its holder disputes. */
export type DisputeOutcome =
  /** There is none, and no reason to ask again. */
  | { kind: 'none' }
  | { kind: 'awaited'; lookAgainAtMs: number }
  | { kind: 'open'; processorId: string; lookAgainAtMs: number }
  /** The money stays. */
  | { kind: 'won'; processorId: string }
  /** The bank has taken back what was left of it. */
  | { kind: 'lost'; processorId: string }
  | { kind: 'no_answer' };

export interface ChargeReference {
  scope: ProviderScope;
  chargeId: string;
  nowMs: number;
}

export interface RefundRequest extends ChargeReference {
  /** The id of our refund row. */
  refundId: string;
  /** Minor units of the charge's currency, at least 1. */
  amountMinor: bigint;
}

export interface PaymentProvider {
  /** Stored with each charge, so that it is looked up where it was made. */
  name: string;
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** What has become of a charge; settles what has fallen due by `nowMs`. */
  lookUp(reference: ChargeReference): Promise<LookUpOutcome>;
  /** Stops a charge that has not taken money, also before it has come. */
  cancel(reference: ChargeReference): Promise<CancelOutcome>;
  /** Gives money back. The sum of a charge's refunds never passes its amount. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /** Where a dispute of a charge stands. */
  lookUpDispute(reference: ChargeReference): Promise<DisputeOutcome>;
}
