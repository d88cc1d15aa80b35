/** What an attempt at Stripe means for our charge. */
import { isLoopbackAddress } from '../../../domain/loopback.ts';
import type { ChargeOutcome, DeclinedCharge, LookUpOutcome, SucceededCharge } from '../payment-provider.ts';
import type { Attempt } from './attempt.ts';
import { toDecline } from './declines.ts';
import { describeAttempt, toKeptReference } from './methods.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Business days until a bank has said yes or no, with the days between them at most. */
const EXPECTED_DAYS: Readonly<Record<string, number>> = { sepa_debit: 20, bacs_debit: 11 };

export type AttemptOutcome = Exclude<LookUpOutcome, { kind: 'ready' | 'no_answer' | 'unknown' }>;

export interface Moment {
  nowMs: number;
  /** What was said of a method that takes days when it was first waited for; null = nothing yet. */
  expectedByMs: number | null;
}

/** `absent` = nothing was tried: no bank was asked, and the object can be used. */
export function toOutcome(attempt: Attempt, moment: Moment): AttemptOutcome {
  switch (attempt.status) {
    case 'succeeded':
      return toSucceeded(attempt);
    case 'canceled':
      return attempt.refusal ? toDeclined(attempt) : toCanceled(attempt);
    case 'requires_payment_method':
      return attempt.refusal ? toDeclined(attempt) : { kind: 'absent' };
    case 'requires_confirmation':
      return attempt.wasTried ? toPending(attempt, moment) : { kind: 'absent' };
    case 'requires_action':
      return toAction(attempt, moment);
    default:
      return toPending(attempt, moment);
  }
}

export function toSucceeded(attempt: Attempt): SucceededCharge {
  const { id, taken, feeMinor } = attempt;
  const described = describeAttempt(attempt);
  return {
    kind: 'succeeded',
    processorId: id,
    ...taken,
    feeMinor,
    ...described,
    storedReference: toKeptReference(attempt),
  };
}

/** A refusal is an end: the caller sees to it that nobody can pay by the same object any more. */
function toDeclined(attempt: Attempt): DeclinedCharge {
  const { method } = describeAttempt(attempt);
  const none = { code: null, declineCode: null, adviceCode: null, outcomeReason: null, outcomeType: null };
  return {
    kind: 'declined',
    processorId: attempt.id,
    method,
    ...toDecline(attempt.refusal ?? none),
  };
}

function toCanceled(attempt: Attempt): DeclinedCharge {
  const { method } = describeAttempt(attempt);
  const said = { decline: 'soft' as const, reason: 'canceled', message: 'The payment was cancelled.' };
  return { kind: 'declined', processorId: attempt.id, method, ...said };
}

function toAction(
  attempt: Attempt,
  moment: Moment,
): Extract<ChargeOutcome, { kind: 'needs_action' | 'pending' }> {
  if (toShownAction(attempt) === null) return toPending(attempt, moment);
  const { method } = describeAttempt(attempt);
  return { kind: 'needs_action', processorId: attempt.id, method, action: { kind: 'asked' } };
}

/** What is asked of the buyer; null where it is nothing that a page of ours can lead to. */
export function toShownAction({ nextAction, status }: Attempt): { url: string } | 'script' | null {
  if (status !== 'requires_action') return null;
  if (nextAction?.type === 'use_stripe_sdk') return 'script';
  const url = nextAction?.redirect_to_url?.url;
  return url && isSafeAddress(url) ? { url } : null;
}

/** A page that a buyer is sent to: nothing but https, the own machine excepted. */
function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackAddress(hostname));
}

function toPending(
  attempt: Attempt,
  { nowMs, expectedByMs }: Moment,
): Extract<ChargeOutcome, { kind: 'pending' }> {
  const { method } = describeAttempt(attempt);
  const days = EXPECTED_DAYS[method.type];
  const waiting = { kind: 'pending' as const, processorId: attempt.id, method };
  if (days === undefined) return { ...waiting, lookAgainAtMs: nowMs + HOUR_MS };
  return {
    ...waiting,
    lookAgainAtMs: nowMs + DAY_MS,
    expectedByMs: expectedByMs ?? nowMs + days * DAY_MS,
  };
}
