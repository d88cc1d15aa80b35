/**
 * The one way to a processor: every call has a limit, and a call that breaks, or takes longer than anybody waits, has
 * an outcome like every other. What it may yet do is found by asking later: no answer is never a failure.
 */
import { type CallEnd, isRefusal, NotSent, toCallEnd } from './call-end.ts';
import type { PaymentProvider, UnknownCharge } from './payment-provider.ts';
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

/** Is given the processor opened for its time. */
type Call<Outcome> = (opened: Required<PaymentProvider>) => Promise<Outcome>;

/**
 * The same processor, whose calls always answer and never throw, but for `check` and `books`. `openWithin` opens it for
 * one call and its time: an adapter is a few functions, and a time that came along by itself (AsyncLocalStorage) would
 * cost every promise of the process on Node 20.
 */
export function toCareful(
  openWithin: (limit: TimeLimit) => PaymentProvider,
  { limit, realNowMs, onFailure, onEnd }: Care,
): PaymentProvider {
  const provider = openWithin(limit());
  /** Throws what the call throws, and where it takes too long. */
  async function within<Outcome>(call: Call<Outcome>): Promise<Outcome> {
    const left = limit();
    // Nothing is sent that nobody has the time to wait for.
    if (left.leftMs() <= 0) throw new NotSent('there was no time left for the processor');
    // What a kind has, each opening of it has.
    const opened = openWithin(left) as Required<PaymentProvider>;
    return withinLimit(left, () => call(opened));
  }

  /** Of what asks for money, or for the object that will take it. */
  async function askFor<Outcome>(
    sendByRealMs: number,
    call: Call<Outcome>,
  ): Promise<Outcome | UnknownCharge> {
    try {
      return await counted((to) => inTime(sendByRealMs, () => call(to)), onFailure);
    } catch (error) {
      return isRefusal(error) ? { ...UNKNOWN, isOurFault: true } : UNKNOWN;
    }
  }

  async function ask<Outcome>(call: Call<Outcome>, otherwise: Outcome): Promise<Outcome> {
    try {
      return await counted(call, onFailure);
    } catch {
      return otherwise;
    }
  }

  /** What it finds is for whoever asks, and yet it is counted how it ended. */
  async function counted<Outcome>(call: Call<Outcome>, told?: (error: unknown) => void): Promise<Outcome> {
    try {
      const answer = await within(call);
      onEnd?.('answered');
      return answer;
    } catch (error) {
      told?.(error);
      const end = toCallEnd(error);
      if (end) onEnd?.(end);
      throw error;
    }
  }

  /** A process that was halted sends nothing of what it meant to send long ago. */
  const inTime = async <Outcome>(sendByRealMs: number, send: () => Promise<Outcome>) => {
    if (realNowMs() >= sendByRealMs) throw new NotSent('it was too late to send');
    return send();
  };
  const NO_ANSWER = { kind: 'no_answer' as const };

  const careful: PaymentProvider = {
    name: provider.name,
    charge: (request) => askFor(request.sendByRealMs, (to) => to.charge(request)),
    lookUp: async (reference) =>
      isUnprepared(provider, reference) ? { kind: 'absent' } : ask((to) => to.lookUp(reference), NO_ANSWER),
    cancel: (reference) => ask((to) => to.cancel(reference), { kind: 'unknown' }),
    refund: (request) => ask((to) => to.refund(request), UNKNOWN),
    lookUpDisputes: (reference) => ask((to) => to.lookUpDisputes(reference), NO_ANSWER),
  };
  if (provider.prepare)
    careful.prepare = (request) => askFor(request.sendByRealMs, (to) => to.prepare(request));
  if (provider.describeAction)
    careful.describeAction = (reference) => ask((to) => to.describeAction(reference), NO_ANSWER);
  if (provider.readNotification)
    careful.readNotification = (raw) => ask((to) => to.readNotification(raw), NO_ANSWER);
  if (provider.listNotifications)
    careful.listNotifications = (asked) => ask((to) => to.listNotifications(asked), NO_ANSWER);
  if (provider.showFields) careful.showFields = provider.showFields;
  if (provider.describeToken)
    careful.describeToken = (reference) => ask((to) => to.describeToken(reference), NO_ANSWER);
  if (provider.findCustomer)
    careful.findCustomer = (customerId) => ask((to) => to.findCustomer(customerId), NO_ANSWER);
  if (provider.describeMethod)
    careful.describeMethod = (asked) => ask((to) => to.describeMethod(asked), NO_ANSWER);
  if (provider.detachMethod)
    careful.detachMethod = (reference) => ask((to) => to.detachMethod(reference), NO_ANSWER);
  if (provider.lookUpRefund)
    careful.lookUpRefund = (request) => ask((to) => to.lookUpRefund(request), UNKNOWN);
  if (provider.listRefundsOf)
    careful.listRefundsOf = (reference) => ask((to) => to.listRefundsOf(reference), null);
  if (provider.books)
    careful.books = {
      keepsDisputed: provider.books.keepsDisputed,
      findCharge: (processorId) => counted((to) => to.books.findCharge(processorId)),
      listCharges: (window) => counted((to) => to.books.listCharges(window)),
      listRefunds: (window) => counted((to) => to.books.listRefunds(window)),
      listDisputes: (window) => counted((to) => to.books.listDisputes(window)),
      listMovements: (window) => counted((to) => to.books.listMovements(window)),
      readBalances: () => counted((to) => to.books.readBalances()),
    };
  // What it finds is for whoever asks.
  if (provider.check) careful.check = () => within((to) => to.check());
  return careful;
}

/** No attempt was made, and nobody need be asked: what takes the money is named in the row before it does. */
export function isUnprepared(
  { prepare }: PaymentProvider,
  { processorId }: { processorId: string | null },
): boolean {
  return prepare !== undefined && processorId === null;
}
