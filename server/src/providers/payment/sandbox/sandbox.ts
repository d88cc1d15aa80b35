/**
 * The processor of test mode: nothing to install, nothing leaves the machine, and yet a real state machine
 * with books of its own. It moves on the workspace's clock, so that a moved clock settles what was pending.
 */
import { assert } from '../../../domain/assert.ts';
import { TOKEN_BYTES, toLinkToken } from '../../../domain/link-token.ts';
import type { PaymentMethodDetails } from '../method-details.ts';
import {
  type CancelOutcome,
  type ChargeOutcome,
  type ChargeReference,
  type ChargeRequest,
  type DisputesOutcome,
  type LookUpOutcome,
  type PaymentProvider,
  type ProviderScope,
  type RefundOutcome,
  type RefundRequest,
  type StandingOutcome,
  type SucceededCharge,
  type ToldDispute,
  UNDISPUTED,
} from '../payment-provider.ts';
import {
  CARD_COUNTRY,
  type CardInWallet,
  findCardByName,
  parseReference,
  toCardDetails,
  toReference,
  toShownReference,
} from './cards.ts';
import { DECLINES, type DeclineReason } from './declines.ts';
import { findInstrument, needsHistory, planCharge, UNKNOWN_CARD } from './plan-charge.ts';
import { type CardHistory, NEVER_SEEN, type SandboxCharge, type SandboxStore } from './sandbox-store.ts';

export interface AuthenticationAnswer {
  scope: ProviderScope;
  chargeId: string;
  approve: boolean;
  nowMs: number;
}

export interface Sandbox extends PaymentProvider {
  /** The buyer's answer on the authentication page; a second answer changes nothing. */
  authenticate(answer: AuthenticationAnswer): Promise<LookUpOutcome>;
  /** The charge of an authentication page, by the word of its address. */
  findByAction(token: string): Promise<{ scope: ProviderScope; chargeId: string } | undefined>;
  /** How a reference shows in the API; null when it is none that the sandbox can charge. */
  describeReference(reference: string): PaymentMethodDetails | null;
  /** The form in which a reference is kept, without a card's number; null when it is none of the sandbox's. */
  toStoredReference(reference: string): string | null;
  /** The form in which a reference is shown; null when it is none of the sandbox's. */
  toShownReference(reference: string): string | null;
}

const DISPUTE_TAKES_MS = 7 * 24 * 3_600_000;
const NO_HISTORY: CardHistory = { hasSucceeded: false, hasPaid: false };
const BANK_TRANSFER: PaymentMethodDetails = { type: 'bank_transfer', brand: null, last4: null, card: null };

interface SandboxParts {
  store: SandboxStore;
  randomBytes: (length: number) => Uint8Array;
}

export function createSandbox(parts: SandboxParts): Sandbox {
  const { store } = parts;
  return {
    name: 'sandbox',
    charge: (request) => charge(parts, request),
    lookUp: async ({ scope, chargeId, nowMs }) => toLookUp(await store.settleCharge(scope, chargeId, nowMs)),
    cancel: (reference) => cancel(store, reference),
    refund: (request) => refund(store, request),
    lookUpDisputes: (reference) => lookUpDisputes(store, reference),
    authenticate: (answer) => authenticate(store, answer),
    findByAction: (token) => store.findByAction(token),
    describeReference: (reference) => {
      const card = parseReference(reference);
      return card && toCardDetails(card);
    },
    toStoredReference: (reference) => {
      const card = parseReference(reference);
      return card && toReference(card);
    },
    toShownReference: (reference) => {
      const card = parseReference(reference);
      return card && toShownReference(card);
    },
  };
}

/** Most charges cost one statement: only a repeated one, and a card with a memory, cost another. */
async function charge({ store, randomBytes }: SandboxParts, request: ChargeRequest): Promise<ChargeOutcome> {
  const { scope, method, nowMs } = request;
  const instrument = findInstrument(method, nowMs);
  if (instrument.kind !== 'instrument') return instrument;
  const cardName = instrument.card?.card.name;
  const history =
    cardName && needsHistory(instrument, method)
      ? await store.findHistory(scope, request.customerReference, cardName)
      : NO_HISTORY;
  const actionToken = toLinkToken(scope.workspaceId, randomBytes(TOKEN_BYTES));
  const planned = planCharge(request, { instrument, history, actionToken });
  if (await store.insertCharge(scope, planned)) return toOutcome(planned);
  const standing = await store.settleCharge(scope, planned.id, nowMs);
  assert(standing, 'a charge whose id is taken exists');
  // Cancelled before it came: nothing but its id was known.
  if (standing.status === 'cancelled') return toOutcome(standing);
  assert(
    standing.amountMinor === request.amountMinor && standing.currency === request.currency,
    'a charge is asked for again with the same amount',
  );
  return toOutcome(standing);
}

async function cancel(
  store: SandboxStore,
  { scope, chargeId, nowMs }: ChargeReference,
): Promise<CancelOutcome> {
  const standing = await store.cancelCharge(scope, chargeId, nowMs);
  switch (standing.status) {
    case 'unknown':
      return { kind: 'unknown' };
    case 'succeeded':
      return { kind: 'taken', outcome: toSucceeded(standing) };
    case 'cancelled':
    case 'failed':
      return { kind: 'cancelled' };
    case 'pending':
    case 'requires_action':
      assert(false, 'a charge that can be cancelled was');
  }
}

async function refund(store: SandboxStore, request: RefundRequest): Promise<RefundOutcome> {
  const { scope, refundId: id, chargeId, amountMinor, nowMs } = request;
  assert(amountMinor > 0n, 'a refund gives something back');
  const processorId = `sbx_re_${id}`;
  if (await store.insertRefund(scope, { id, chargeId, amountMinor, createdAtMs: nowMs })) {
    return { kind: 'succeeded', processorId };
  }
  const earlier = await store.findRefund(scope, id);
  if (!earlier) {
    return {
      kind: 'failed',
      reason: 'not_refundable',
      message: 'The charge has not succeeded, or less than this amount is left of it.',
    };
  }
  assert(
    earlier.chargeId === chargeId && earlier.amountMinor === amountMinor,
    'a refund is asked for again with the same charge and amount',
  );
  return { kind: 'succeeded', processorId };
}

/** Opened when the card says so, and lost a week later: nobody answers for a test merchant. */
async function lookUpDisputes(
  store: SandboxStore,
  { scope, chargeId, nowMs }: ChargeReference,
): Promise<DisputesOutcome> {
  const standing = await store.settleCharge(scope, chargeId, nowMs);
  if (standing?.status !== 'succeeded' || standing.disputeAtMs === null) return UNDISPUTED;
  const { disputeAtMs } = standing;
  const lostAtMs = disputeAtMs + DISPUTE_TAKES_MS;
  const lookAgainAtMs = [disputeAtMs, lostAtMs].find((atMs) => nowMs < atMs) ?? null;
  if (lookAgainAtMs === disputeAtMs) return { ...UNDISPUTED, lookAgainAtMs };
  const dispute: ToldDispute = {
    processorId: `sbx_dp_${chargeId}`,
    stage: lookAgainAtMs === null ? 'lost' : 'open',
    ...{
      disputed: null,
      reason: 'fraudulent',
      evidenceDueAtMs: lostAtMs,
      processorUrl: null,
      evidence: null,
    },
  };
  return { kind: 'told', disputes: [dispute], warnings: [], lookAgainAtMs };
}

async function authenticate(
  store: SandboxStore,
  { scope, chargeId, approve, nowMs }: AuthenticationAnswer,
): Promise<LookUpOutcome> {
  const waiting = await store.settleCharge(scope, chargeId, nowMs);
  if (waiting?.status !== 'requires_action') return toLookUp(waiting);
  const reason = approve ? toReasonAfterApproval(waiting) : 'authentication_failed';
  const ended = await store.endAction(scope, chargeId, reason);
  // Another answer, or a cancel, came first.
  return ended ? toOutcome(ended) : toLookUp(await store.settleCharge(scope, chargeId, nowMs));
}

function toReasonAfterApproval(waiting: SandboxCharge): DeclineReason | null {
  return toCard(waiting)?.card.behaviour.kind === 'authenticates_then_declines' ? 'card_declined' : null;
}

function toLookUp(standing: SandboxCharge | undefined): LookUpOutcome {
  return standing ? toOutcome(standing) : { kind: 'absent' };
}

function toOutcome(standing: SandboxCharge): StandingOutcome {
  const { status, settlesAtMs, declineReason } = standing;
  const processorId = toProcessorId(standing);
  const method = toMethod(standing);
  switch (status) {
    case 'succeeded':
      return toSucceeded(standing);
    case 'requires_action':
      assert(standing.actionToken !== null, 'a charge that waits for its buyer has a page');
      return {
        kind: 'needs_action',
        processorId,
        method,
        action: { kind: 'redirect', url: `/sandbox/authenticate/${standing.actionToken}` },
      };
    case 'pending':
      assert(settlesAtMs !== null, 'a pending charge settles at some time');
      return { kind: 'pending', processorId, method, lookAgainAtMs: settlesAtMs };
    case 'unknown':
      assert(settlesAtMs !== null, 'an unknown charge settles at some time');
      return { kind: 'unknown', lookAgainAtMs: settlesAtMs };
    case 'failed':
      assert(declineReason !== null, 'a failed charge has a reason');
      return { kind: 'declined', processorId, method, reason: declineReason, ...DECLINES[declineReason] };
    case 'cancelled':
      return { kind: 'declined', processorId, method, reason: 'canceled', ...DECLINES.canceled };
  }
}

function toSucceeded(standing: SandboxCharge): SucceededCharge {
  const card = toCard(standing);
  return {
    kind: 'succeeded',
    processorId: toProcessorId(standing),
    amountMinor: standing.amountMinor,
    currency: standing.currency,
    feeMinor: standing.feeMinor,
    method: toMethod(standing),
    storedReference: card && toReference(card),
    cardCountry: card && CARD_COUNTRY,
    cardExpiry: standing.expiry,
    ...(standing.disputeAtMs === null ? {} : { disputeLookAtMs: standing.disputeAtMs }),
  };
}

function toProcessorId({ id }: SandboxCharge): string {
  return `sbx_ch_${id}`;
}

function toMethod(standing: SandboxCharge): PaymentMethodDetails {
  if (standing.customer === NEVER_SEEN) return UNKNOWN_CARD;
  const card = toCard(standing);
  return card ? toCardDetails(card) : BANK_TRANSFER;
}

function toCard({ cardName, wallet }: SandboxCharge): CardInWallet | null {
  if (cardName === null) return null;
  const card = findCardByName(cardName);
  assert(card, 'a card, once in the table, stays there');
  return { card, wallet };
}
