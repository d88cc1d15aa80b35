/**
 * The way to Stripe's API. Its SDK is loaded by the first call that is made, since a store without a connection is to
 * pay nothing for it. A call is sent once: what became of one without an answer is asked of its object, and never
 * found by sending it again. (The SDK repeats by itself, with the same key, when a connection that was kept open turns
 * out to be closed.)
 */
import type { IncomingMessage } from 'node:http';
import type Stripe from 'stripe';
import { limitAnswer } from '../answer-limit.ts';
import { type CallGate, toEndpoint } from '../call-limiter.ts';
import { StripeFailure, toFailure } from './failure.ts';
import { createSdkPool, type OnRequest, type SdkPool } from './sdk-pool.ts';

/** What calls and events look like; the SDK's own, so that an update of it is a change of the two at once. */
export const STRIPE_API_VERSION = '2026-10-28.endive';

export interface StripeOptions {
  /** Where the API is: its origin alone counts. */
  apiUrl: string;
  timeoutMs: number;
  realNowMs: () => number;
}

export interface AskingStripe {
  /** The idempotency key. Missing = the call only reads, or the same again does no harm. */
  key?: string;
  /** Nothing is sent any more from then on; also no repetition by the SDK. */
  sendByRealMs?: number;
}

export interface StripeClient {
  /** Throws StripeFailure, and no other error of the SDK. */
  ask<T>(call: (sdk: Stripe, options: Stripe.RequestOptions) => Promise<T>, how?: AskingStripe): Promise<T>;
}

/** `pool`: of whoever makes clients again and again, and always with the same options. */
export function createStripeClient(
  secretKey: string,
  options: StripeOptions,
  { gate, pool = createStripePool(options) }: { gate?: CallGate | undefined; pool?: SdkPool } = {},
): StripeClient {
  return {
    ask: async (call, { key, sendByRealMs = Number.POSITIVE_INFINITY } = {}) => {
      const begunMs = performance.now();
      for (let turnedAway = 1; ; turnedAway += 1) {
        const sending: Sending = { sendByRealMs, sent: 0, refused: 0, gate };
        const asked = key === undefined ? {} : { idempotencyKey: key };
        try {
          return await pool.lend(secretKey, toOnRequest(sending, options), (sdk) =>
            withoutStack(() => call(sdk, asked)),
          );
        } catch (error) {
          const failure = sending.sent === 0 && sending.refused > 0 ? toTooLate() : toFailure(error);
          // What was turned away for being too much was not carried out.
          const isLimited = failure instanceof StripeFailure && failure.kind === 'limited';
          if (!isLimited || !(await gate?.mayAgain(begunMs, sendByRealMs, turnedAway))) throw failure;
        }
      }
    },
  };
}

export const createStripePool = (options: Pick<StripeOptions, 'apiUrl' | 'timeoutMs'>): SdkPool =>
  createSdkPool({ ...options, apiVersion: STRIPE_API_VERSION });

/** The SDK keeps a stack of each call for its errors, a tenth of what the call costs: of those we keep a few words alone. */
function withoutStack<T>(begin: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return begin();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What one call has sent. */
interface Sending {
  sendByRealMs: number;
  sent: number;
  /** For being too late. */
  refused: number;
  gate: CallGate | undefined;
}

/** Counts what is sent, in its turn and as long as it may be. */
function toOnRequest(sending: Sending, { timeoutMs, realNowMs }: StripeOptions): OnRequest {
  return async (plain, request) => {
    const send = async () => {
      if (realNowMs() >= sending.sendByRealMs) throw toTooLate();
      sending.sent += 1;
      const untilMs = performance.now() + timeoutMs;
      return toLimited(await plain(...request), untilMs);
    };
    const before = sending.sent;
    const [, , path, method] = request;
    try {
      return await (sending.gate
        ? sending.gate.send(toEndpoint(method, path), sending.sendByRealMs, send)
        : send());
    } catch (error) {
      if (sending.sent === before) sending.refused += 1;
      throw error;
    }
  };
}

/** The SDK reads whatever comes, as long as something comes. */
function toLimited<T extends { toJSON(): Promise<unknown>; getRawResponse(): unknown }>(
  answer: T,
  untilMs: number,
): T {
  const read = answer.toJSON.bind(answer);
  answer.toJSON = () => {
    // Its own client hands out what Node has made of it.
    limitAnswer(answer.getRawResponse() as IncomingMessage, untilMs - performance.now());
    return read();
  };
  return answer;
}

function toTooLate(): StripeFailure {
  const none = { code: null, declineCode: null, status: null, requestId: null, param: null };
  return new StripeFailure({ type: 'NotSent', ...none }, 'too_late');
}
