/**
 * The one way to a processor: every call has a limit, and a call that breaks, or takes longer than anybody waits, has
 * an outcome like every other. What it may yet do is found by asking later: no answer is never a failure.
 */
import { type CallEnd, NotSent, toCallEnd } from './call-end.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { type TimeLimit, withinLimit } from './time-limit.ts';

const UNKNOWN = { kind: 'unknown' as const, lookAgainAtMs: null };

export interface Care {
  /** Asked for each call: calls that share a limit end together. */
  limit: () => TimeLimit;
  realNowMs: () => number;
  /** Is told why a call had no answer. */
  onFailure: (error: unknown) => void;
  /** Is told how each call ended that was sent; missing = nobody counts. */
  onEnd?: ((end: CallEnd) => void) | undefined;
}

/** The same processor, whose calls always answer and never throw, but for `check` and `books`. */
export function toCareful(
  provider: PaymentProvider,
  { limit, realNowMs, onFailure, onEnd }: Care,
): PaymentProvider {
  /** Throws what the call throws, and where it takes too long. */
  async function within<Outcome>(call: () => Promise<Outcome>): Promise<Outcome> {
    const left = limit();
    // Nothing is sent that nobody has the time to wait for.
    if (left.leftMs() <= 0) throw new NotSent('there was no time left for the processor');
    return withinLimit(left, call);
  }

  async function ask<Outcome>(call: () => Promise<Outcome>, otherwise: Outcome): Promise<Outcome> {
    try {
      const answer = await within(call);
      onEnd?.('answered');
      return answer;
    } catch (error) {
      onFailure(error);
      const end = toCallEnd(error);
      if (end) onEnd?.(end);
      return otherwise;
    }
  }

  /** A process that was halted sends nothing of what it meant to send long ago. */
  const inTime = <Outcome>(sendByRealMs: number, call: () => Promise<Outcome>) => {
    if (realNowMs() >= sendByRealMs) throw new NotSent('it was too late to send');
    return call();
  };
  /** What it finds is for whoever asks, and yet it is counted how it ended. */
  async function counted<Outcome>(call: () => Promise<Outcome>): Promise<Outcome> {
    try {
      const answer = await within(call);
      onEnd?.('answered');
      return answer;
    } catch (error) {
      const end = toCallEnd(error);
      if (end) onEnd?.(end);
      throw error;
    }
  }

  const {
    prepare,
    describeAction,
    readNotification,
    listNotifications,
    check,
    showFields,
    books,
    listRefundsOf,
    describeMethod,
  } = provider;
  const careful: PaymentProvider = {
    name: provider.name,
    charge: (request) =>
      ask(async () => inTime(request.sendByRealMs, () => provider.charge(request)), UNKNOWN),
    lookUp: async (reference) =>
      isUnprepared(provider, reference)
        ? { kind: 'absent' }
        : ask(() => provider.lookUp(reference), { kind: 'no_answer' }),
    cancel: (reference) => ask(() => provider.cancel(reference), { kind: 'unknown' }),
    refund: (request) => ask(() => provider.refund(request), UNKNOWN),
    lookUpDisputes: (reference) => ask(() => provider.lookUpDisputes(reference), { kind: 'no_answer' }),
  };
  if (prepare) {
    careful.prepare = (request) =>
      ask(async () => inTime(request.sendByRealMs, () => prepare(request)), UNKNOWN);
  }
  if (describeAction) {
    careful.describeAction = (reference) => ask(() => describeAction(reference), { kind: 'no_answer' });
  }
  if (readNotification) {
    careful.readNotification = (raw) => ask(() => readNotification(raw), { kind: 'no_answer' });
  }
  if (listNotifications) {
    careful.listNotifications = (asked) => ask(() => listNotifications(asked), { kind: 'no_answer' });
  }
  if (showFields) careful.showFields = (ask) => showFields(ask);
  if (describeMethod)
    careful.describeMethod = (asked) => ask(() => describeMethod(asked), { kind: 'no_answer' });
  if (listRefundsOf) careful.listRefundsOf = (reference) => ask(() => listRefundsOf(reference), null);
  if (books) {
    careful.books = {
      findCharge: (processorId) => counted(() => books.findCharge(processorId)),
      listCharges: (window) => counted(() => books.listCharges(window)),
      listRefunds: (window) => counted(() => books.listRefunds(window)),
      listDisputes: (window) => counted(() => books.listDisputes(window)),
      listMovements: (window) => counted(() => books.listMovements(window)),
      readBalances: () => counted(() => books.readBalances()),
    };
  }
  // What it finds is for whoever asks.
  if (check) careful.check = () => within(check);
  return careful;
}

/** No attempt was made, and nobody need be asked: what takes the money is named in the row before it does. */
export function isUnprepared(
  { prepare }: PaymentProvider,
  { processorId }: { processorId: string | null },
): boolean {
  return prepare !== undefined && processorId === null;
}
