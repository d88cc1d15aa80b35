/**
 * What the sandbox decides about a charge, without asking anybody: first which method it is about, then
 * what becomes of it.
 */
import { assertNever } from '../../../domain/assert.ts';
import { isExpired, isValidCvc, parseCardNumber, parseExpiry } from '../../../domain/cards.ts';
import { divideHalfAwayFromZero } from '../../../domain/money/rounding.ts';
import type { CardExpiry, PaymentMethodDetails } from '../method-details.ts';
import type { ChargeMethod, ChargeOutcome, ChargeRequest, DeclinedCharge } from '../payment-provider.ts';
import { type CardInWallet, findCardByNumber, parseReference } from './cards.ts';
import { DECLINES, type DeclineReason } from './declines.ts';
import type { CardHistory, SandboxCharge, SandboxStatus } from './sandbox-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const UNKNOWN_FOR_MS = 2 * MINUTE_MS;
const BANK_TRANSFER_TAKES_MS = 2 * DAY_MS;
const DISPUTED_AFTER_MS = DAY_MS;
/** 2.9 %. */
const FEE_PER_MILLE = 29n;

export const UNKNOWN_CARD: PaymentMethodDetails = { type: 'card', brand: null, last4: null, card: null };

/** What is charged; `card` null = a bank transfer. */
export interface Instrument {
  kind: 'instrument';
  card: CardInWallet | null;
  /** As it was typed; null for what is stored, and for a bank transfer. */
  expiry: CardExpiry | null;
}

export type Unchargeable = Extract<ChargeOutcome, { kind: 'invalid' | 'declined' }>;

/** The method's instrument, or the answer when there is none; then nothing of the charge is stored. */
export function findInstrument(method: ChargeMethod, nowMs: number): Instrument | Unchargeable {
  switch (method.kind) {
    case 'transfer':
      return { kind: 'instrument', card: null, expiry: null };
    // No field of a processor's is in the sandbox's page.
    case 'token':
    case 'redirect':
      return toUnstoredDecline('unknown_payment_method');
    case 'stored': {
      const card = parseReference(method.reference);
      return card ? { kind: 'instrument', card, expiry: null } : toUnstoredDecline('unknown_payment_method');
    }
    case 'card':
      return checkCard(method, nowMs);
  }
}

function checkCard(typed: Extract<ChargeMethod, { kind: 'card' }>, nowMs: number): Instrument | Unchargeable {
  const number = parseCardNumber(typed.number);
  if (number === null) return toInvalid('number', 'The card number is not valid.');
  const card = findCardByNumber(number);
  // Before anything else is looked at: a real card has no business here.
  if (!card) return toUnstoredDecline('test_card_required');
  const expiry = parseExpiry(typed.expiry);
  if (!expiry) return toInvalid('expiry', 'The expiry date is not valid.');
  if (isExpired(expiry, nowMs)) return toInvalid('expiry', 'The card has expired.');
  if (typed.cvc !== null && !isValidCvc(typed.cvc, card.brand)) {
    return toInvalid('cvc', 'The security code is not valid.');
  }
  return { kind: 'instrument', card: { card, wallet: typed.wallet ?? null }, expiry };
}

function toInvalid(field: 'number' | 'expiry' | 'cvc', message: string): Unchargeable {
  return { kind: 'invalid', field, message };
}

function toUnstoredDecline(reason: DeclineReason): DeclinedCharge {
  return { kind: 'declined', processorId: null, method: UNKNOWN_CARD, reason, ...DECLINES[reason] };
}

/** Whether the card remembers its customer, so that the history must be read before the charge is planned. */
export function needsHistory({ card }: Instrument, method: ChargeMethod): boolean {
  const kind = card?.card.behaviour.kind;
  return method.kind === 'stored' && (kind === 'authenticates' || kind === 'charges_once');
}

interface Planning {
  instrument: Instrument;
  history: CardHistory;
  /** Names the authentication page, should there be one. */
  actionToken: string;
}

/** The charge as it is first written down. */
export function planCharge(
  request: ChargeRequest,
  { instrument: { card, expiry }, history, actionToken }: Planning,
): SandboxCharge {
  const fate = planFate(request, card, history);
  return {
    id: request.chargeId,
    customer: request.customerReference,
    cardName: card?.card.name ?? null,
    wallet: card?.wallet ?? null,
    expiry,
    amountMinor: request.amountMinor,
    currency: request.currency,
    feeMinor: divideHalfAwayFromZero(request.amountMinor * FEE_PER_MILLE, 1000n),
    createdAtMs: request.nowMs,
    actionToken: fate.status === 'requires_action' ? actionToken : null,
    ...fate,
  };
}

type Fate = Pick<SandboxCharge, 'status' | 'settlesAtMs' | 'declineReason' | 'disputeAtMs'>;

function planFate(request: ChargeRequest, card: CardInWallet | null, history: CardHistory): Fate {
  const { nowMs, amountMinor } = request;
  if (!card) {
    // Nothing has to be transferred, so that there is nothing to wait for.
    return amountMinor === 0n
      ? toFate('succeeded')
      : toFate('pending', { settlesAtMs: nowMs + BANK_TRANSFER_TAKES_MS });
  }
  const { behaviour } = card.card;
  switch (behaviour.kind) {
    case 'succeeds':
      return toFate('succeeded');
    case 'declines':
      return toFate('failed', { declineReason: behaviour.reason });
    case 'authenticates':
      return request.offSession && history.hasSucceeded ? toFate('succeeded') : toFate('requires_action');
    case 'authenticates_then_declines':
      return toFate('requires_action');
    case 'charges_once':
      return amountMinor > 0n && history.hasPaid
        ? toFate('failed', { declineReason: 'card_declined' })
        : toFate('succeeded');
    case 'is_disputed':
      return toFate('succeeded', amountMinor > 0n ? { disputeAtMs: nowMs + DISPUTED_AFTER_MS } : {});
    case 'is_unknown_first':
      return toFate('unknown', { settlesAtMs: nowMs + UNKNOWN_FOR_MS });
    default:
      return assertNever(behaviour);
  }
}

function toFate(status: SandboxStatus, rest: Partial<Fate> = {}): Fate {
  return { settlesAtMs: null, declineReason: null, disputeAtMs: null, ...rest, status };
}
