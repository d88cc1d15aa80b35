/**
 * Money that comes outside: the buyer is told where to send it, and the merchant says when it has come. Nobody can be
 * asked, so that only time decides here: what has not come when it was due is told so.
 */
import type { ManualDetails } from '../../../domain/processors/manual-details.ts';
import type { PaymentMethodDetails } from '../method-details.ts';
import {
  type ChargeOutcome,
  type DeclinedCharge,
  type LookUpOutcome,
  type LookUpReference,
  type PaymentProvider,
  type PreparedRequest,
  UNDISPUTED,
} from '../payment-provider.ts';
import type { ProcessorKind } from '../registry.ts';

const DAY_MS = 86_400_000;
const REFUND_LOOK_MS = 7 * DAY_MS;

export const TRANSFER: PaymentMethodDetails = {
  type: 'bank_transfer',
  brand: null,
  last4: null,
  card: null,
};

export const manual: ProcessorKind = {
  name: 'manual',
  capabilities: { methods: ['transfer'], types: ['transfer'], currencies: null, sources: null },
  accounts: null,
  // Rows of the kind hold only what it has let in.
  open: ({ id, details }) => openManual(id, details as ManualDetails),
};

export function toManualId(chargeId: string): string {
  return `manual_${chargeId}`;
}

function openManual(connectionId: string, details: ManualDetails): PaymentProvider {
  return {
    name: manual.name,
    charge: async (request) => charge(request, { connectionId, details }),
    lookUp: async (reference) => lookUp(reference, details),
    cancel: async () => ({ kind: 'cancelled' }),
    refund: async ({ refundId, nowMs }) => ({
      kind: 'pending',
      processorId: `manual_re_${refundId}`,
      lookAgainAtMs: nowMs + REFUND_LOOK_MS,
    }),
    lookUpDisputes: async () => UNDISPUTED,
  };
}

function charge(
  { chargeId, amountMinor, currency, purpose, method, nowMs }: PreparedRequest,
  { connectionId, details }: { connectionId: string; details: ManualDetails },
): ChargeOutcome {
  const processorId = toManualId(chargeId);
  if (method.kind !== 'transfer' && method.kind !== 'stored') return toNotReceived(processorId);
  if (amountMinor === 0n) {
    const taken = { amountMinor, currency, feeMinor: 0n, method: TRANSFER, storedReference: connectionId };
    return { kind: 'succeeded', processorId, ...taken, cardCountry: null, cardExpiry: null };
  }
  // Nobody sends money because they are asked again: the mail of the day is the try.
  if (purpose === 'retry') return toNotReceived(processorId);
  return toPending(processorId, nowMs + details.dueDays * DAY_MS, details);
}

function lookUp(
  { processorId, expectedByMs, purpose, nowMs }: LookUpReference,
  details: ManualDetails,
): LookUpOutcome {
  // Nobody was told where to send it.
  if (processorId === null || expectedByMs === null) return { kind: 'absent' };
  const isOver = purpose !== 'purchase' && nowMs >= expectedByMs;
  return isOver ? toNotReceived(processorId) : toPending(processorId, expectedByMs, details);
}

function toPending(
  processorId: string,
  expectedByMs: number,
  { instructions, iban, bic, holder }: ManualDetails,
): ChargeOutcome & { kind: 'pending' } {
  const transfer = { instructions, iban, bic, holder, dueAtMs: expectedByMs };
  const due = { lookAgainAtMs: expectedByMs, expectedByMs };
  return { kind: 'pending', processorId, method: TRANSFER, ...due, transfer };
}

function toNotReceived(processorId: string): DeclinedCharge {
  return {
    kind: 'declined',
    processorId,
    method: TRANSFER,
    decline: 'soft',
    reason: 'not_received',
    message: 'The transfer has not been received.',
  };
}
