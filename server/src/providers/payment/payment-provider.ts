/**
 * The port to a payment processor. Everything a flow branches on is a value: a decline, a needed
 * authentication and a time-out are outcomes, never exceptions, and a time-out is `unknown`, never failed.
 *
 * The id of our own row (charge, refund) is the idempotency key of every outward call: the same call again,
 * also at the same time from another process, moves no more money and answers what stands by then. Where the processor
 * forgets keys, `prepare` makes an object there that moves nothing, and one such object takes money once at most: its
 * id is committed with our row before `charge` names it.
 *
 * A call is never made inside a database transaction. `nowMs` is always the workspace's clock; `…RealMs` is not.
 */

import type { CardWallet } from '../../domain/processors/card-words.ts';
import type { TransferInstructions } from '../../domain/processors/transfer.ts';
import type { BookedRefund, ProcessorBooks } from './books.ts';
import type { CardExpiry, PaymentMethodDetails } from './method-details.ts';
import type { DetachOutcome, MethodAsk, MethodOutcome } from './method-outcome.ts';
import type {
  NotificationReading,
  NotificationsAsk,
  NotificationsPage,
  RawNotification,
} from './notification.ts';
import type { FieldsAsk, ProcessorFields } from './page-fields.ts';
import type { TokenOutcome } from './token-outcome.ts';

/** One store of one workspace: nothing of it is seen from another. */
export interface ProviderScope {
  workspaceId: string;
  testMode: boolean;
}

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
  /** What the processor's own fields made of what was typed there: it pays once. */
  | {
      kind: 'token';
      reference: string;
      /** The processor's names of the methods that were offered, of which it is one. */
      types: readonly string[];
      /** The buyer is on a page of ours that can show what the processor asks of them. */
      isInPage: boolean;
    }
  /** The `storedReference` of an earlier outcome, or a reference that the merchant brought along. */
  | {
      kind: 'stored';
      reference: string;
      /** Its holder is on a page of ours that can show what the processor asks of them. */
      isInPage?: boolean;
    }
  /** Sent by the buyer's bank, days later. */
  | { kind: 'transfer' }
  /** Approved on a page of the processor's. */
  | { kind: 'redirect' };

/** What the buyer's page and the merchant call methods, whoever takes them. */
export type MethodKind = ChargeMethod['kind'];

/** What a charge is for, as its processor is told. */
export type ChargePurpose =
  /** The buyer is there, or was a moment ago. */
  | 'purchase'
  /** The first try of a later payment of a subscription. */
  | 'renewal'
  /** A further try of one. */
  | 'retry'
  /** A method alone is taken. */
  | 'setup';

/** What a charge is told by beside its money. */
export interface ChargeFacts {
  /** The method is to be charged again. */
  keepsMethod: boolean;
  /** Where the buyer comes back to from another's page. */
  returnUrl: string;
  orderNumber: string;
  /** By which it is known as ours, at the processor and in what it tells. */
  metadata: Readonly<Record<string, string>>;
}

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
  purpose: ChargePurpose;
  /** Null where the kind makes no object first, and tells nobody. */
  facts: ChargeFacts | null;
  nowMs: number;
  /** Nothing is sent any more from then on: by that time somebody else may have asked what became of it. */
  sendByRealMs: number;
}

/** A request for a charge whose object at the processor is known; null where its kind makes none. */
export interface PreparedRequest extends ChargeRequest {
  processorId: string | null;
}

export type PrepareOutcome =
  /** The object is there and moves nothing. The same request again names the same one. */
  | { kind: 'prepared'; processorId: string }
  | DeclinedCharge
  | Extract<ChargeOutcome, { kind: 'unknown' | 'invalid' }>;

/**
 * A soft decline may be tried again, a hard one only with another method; `authentication` is mended by the buyer
 * alone; technical is nobody's fault.
 */
export type DeclineKind = 'soft' | 'hard' | 'authentication' | 'technical';

export interface SucceededCharge {
  kind: 'succeeded';
  processorId: string;
  /** What was taken, in minor units of `currency`: the caller compares it with what it asked for. */
  amountMinor: bigint;
  currency: string;
  /** What the processor keeps, in the charge's currency; it is not given back on a refund. Null = told later. */
  feeMinor: bigint | null;
  method: PaymentMethodDetails;
  /** Charges the same method again, off-session; null when the method cannot be kept. */
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

/** The buyer must go to `url`: a path on our host, or an absolute URL of the processor. */
export interface RedirectAction {
  kind: 'redirect';
  url: string;
}

/** The processor says where to when it is asked (`describeAction`): the address itself may hold a secret, and is not kept. */
export interface AskedAction {
  kind: 'asked';
}

export interface UnknownCharge {
  kind: 'unknown';
  lookAgainAtMs: number | null;
  /** The call itself is not right, which is our fault: the same again is of no use before somebody has mended it. */
  isOurFault?: boolean;
}

export type ChargeOutcome =
  | SucceededCharge
  | {
      kind: 'needs_action';
      processorId: string;
      method: PaymentMethodDetails;
      action: RedirectAction | AskedAction;
    }
  /** The processor has it and has not settled it yet. */
  | {
      kind: 'pending';
      processorId: string;
      method: PaymentMethodDetails;
      lookAgainAtMs: number;
      /** Of a method that takes days: until when it is to have brought the money. */
      expectedByMs?: number;
      /** What the buyer is to send by themselves. */
      transfer?: TransferInstructions;
    }
  | DeclinedCharge
  /** No answer that can be trusted, or the processor itself does not know: the money may have been taken. */
  | UnknownCharge
  /** Card details that no charge can be made with; nothing was stored. */
  | { kind: 'invalid'; field: 'number' | 'expiry' | 'cvc' | 'token'; message: string };

/** A charge that the processor has; card details were checked before it came to be. */
export type StandingOutcome = Exclude<ChargeOutcome, { kind: 'invalid' }>;

export type LookUpOutcome =
  | StandingOutcome
  /** Its buyer has approved it elsewhere: `charge` takes the money. */
  | { kind: 'ready'; processorId: string }
  /**
   * The processor has never seen the charge. It says nothing of a call that is still under way: only a cancelled
   * charge takes no money any more.
   */
  | { kind: 'absent' }
  /** The question was lost: nothing is known that was not known before. */
  | { kind: 'no_answer' };

/** Told to the buyer alone, and never kept. */
export type ActionOutcome =
  | { kind: 'redirect'; url: string }
  /** By the processor's script in our page. */
  | { kind: 'script'; script: string; clientSecret: string; publishableKey: string }
  | { kind: 'none' }
  | { kind: 'no_answer' };

export type CancelOutcome =
  /**
   * Nothing was taken and nothing will be: also for a declined or an already cancelled charge, and for one that the
   * processor has never seen, whose id it refuses from now on.
   */
  | { kind: 'cancelled' }
  | { kind: 'taken'; outcome: SucceededCharge }
  | { kind: 'unknown' }
  /** It cannot be stopped there: nothing is known, and nobody is to be alarmed. */
  | { kind: 'refused' };

export type RefundOutcome =
  | { kind: 'succeeded'; processorId: string }
  | { kind: 'pending'; processorId: string; lookAgainAtMs: number }
  | { kind: 'failed'; reason: string; message: string }
  | { kind: 'unknown'; lookAgainAtMs: number | null };

export type RefundLookUp = RefundOutcome | { kind: 'absent' };

/** How much of a charge is disputed, where it is not all that is left of it. */
export interface DisputedSum {
  amountMinor: bigint;
  currency: string;
}

/** Where a dispute stands: a bank that asks takes nothing, and `none` is what an inquiry comes to. */
export type DisputeStage = 'inquiry' | 'open' | 'won' | 'lost' | 'none';

/** What a buyer's bank says of a charge. */
export interface ToldDispute {
  processorId: string;
  stage: DisputeStage;
  /** Null = all that is left of the charge. */
  disputed: DisputedSum | null;
  /** The processor's word. */
  reason: string | null;
  /** Real ms; null = there is nothing to answer. */
  evidenceDueAtMs: number | null;
  /** Where it is answered; null = nowhere. */
  processorUrl: string | null;
  /** Null = the processor does not tell. */
  evidence: { submitted: boolean; pastDue: boolean } | null;
}

/** An issuer fears that a charge is a fraud: nothing is taken yet. */
export interface FraudWarning {
  processorId: string;
  /** False once it was given back, or disputed. */
  isActionable: boolean;
}

export type DisputesOutcome =
  | {
      kind: 'told';
      /** Oldest first. */
      disputes: readonly ToldDispute[];
      warnings: readonly FraudWarning[];
      /** Null = there is no reason to ask again. */
      lookAgainAtMs: number | null;
    }
  | { kind: 'no_answer' };

/** Of a charge that nobody disputes. */
export const UNDISPUTED = {
  kind: 'told',
  disputes: [],
  warnings: [],
  lookAgainAtMs: null,
} as const satisfies DisputesOutcome;

/** A method that can be charged again, as it is shown. */
export interface KeptMethod {
  reference: string;
  details: PaymentMethodDetails;
  expiry: CardExpiry | null;
}

/** Whom the merchant calls by the processor's own name. */
export type CustomerOutcome =
  /** The one that they chose there, else the newest; null = nothing of theirs can be charged again. */
  { kind: 'found'; method: KeptMethod | null } | { kind: 'unknown' } | { kind: 'no_answer' };

export interface ChargeReference {
  scope: ProviderScope;
  chargeId: string;
  /** As committed with the charge's row; null while it has none. */
  processorId: string | null;
  nowMs: number;
}

/** What the charge's row says of one that may be asked for as it stands. */
export interface LookUpReference extends ChargeReference {
  purpose: ChargePurpose;
  expectedByMs: number | null;
}

export interface RefundRequest extends ChargeReference {
  /** The id of our refund row. */
  refundId: string;
  /** Minor units of the charge's currency, at least 1. */
  amountMinor: bigint;
  currency: string;
}

export interface PaymentProvider {
  /** Its kind, stored with each charge. */
  name: string;
  /**
   * Makes the object that the charge will be, and moves nothing. Missing where our id alone is the guard: the processor
   * keeps it for good, and refuses one that was cancelled before it came.
   */
  prepare?(request: ChargeRequest): Promise<PrepareOutcome>;
  charge(request: PreparedRequest): Promise<ChargeOutcome>;
  /** What has become of a charge; settles what has fallen due by `nowMs`. */
  lookUp(reference: LookUpReference): Promise<LookUpOutcome>;
  /** Stops a charge that has not taken money, also before it has come. */
  cancel(reference: ChargeReference): Promise<CancelOutcome>;
  /** What the buyer is asked of a charge that waits for them; null = nothing any more. For kinds that answer `asked`. */
  describeAction?(reference: ChargeReference): Promise<ActionOutcome>;
  /** Gives money back. The sum of a charge's refunds never passes its amount. */
  refund(request: RefundRequest): Promise<RefundOutcome>;
  /**
   * What has become of a refund, without asking for it: `absent` = it is not there. For kinds that forget our keys, where
   * the same call may one day be another refund.
   */
  lookUpRefund?(request: RefundRequest): Promise<RefundLookUp>;
  /** For kinds that take `token`. */
  describeToken?(reference: string): Promise<TokenOutcome>;
  /** For kinds that tell of methods. */
  describeMethod?(ask: MethodAsk): Promise<MethodOutcome>;
  /** From then on nobody charges it there by us; the same again answers the same. For kinds that keep methods of people. */
  detachMethod?(reference: string): Promise<DetachOutcome>;
  /** For kinds that know customers of their own. */
  findCustomer?(customerId: string): Promise<CustomerOutcome>;
  /** All that was given back of a charge, whoever asked for it; null = there was no answer. */
  listRefundsOf?(reference: ChargeReference): Promise<BookedRefund[] | null>;
  /** Its fields for a page; null where it takes nothing of this. Asks nobody. For kinds that take `token`. */
  showFields?(ask: FieldsAsk): ProcessorFields | null;
  /** Throws where it does not answer, or does not let us in; missing where there is nobody to ask. Looks only. */
  check?(): Promise<void>;
  /** What it tells by itself; missing where it never does. Nothing of it is believed but that there is something to see. */
  readNotification?(raw: RawNotification): Promise<NotificationReading>;
  /** The same for what nobody heard; for kinds that tell. */
  listNotifications?(ask: NotificationsAsk): Promise<NotificationsPage>;
  /** Its own books; missing where there are none to compare with. A call without an answer throws. */
  books?: ProcessorBooks;
  /** Where the disputes of a charge stand. */
  lookUpDisputes(reference: ChargeReference): Promise<DisputesOutcome>;
}
