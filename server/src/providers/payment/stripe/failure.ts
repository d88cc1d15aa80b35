/**
 * Why a call to Stripe brought nothing, reduced to what may be logged and kept: the SDK's own error carries the whole
 * object, client secret and all, and its message may repeat a part of the key.
 */

/** What a failure says of the call that met it. */
export type FailureKind =
  /** It may have been carried out. */
  | 'unknown'
  /** It was not carried out, and may be sent again. */
  | 'limited'
  /** The key is not taken, or may not do this. */
  | 'locked_out'
  /** The bank, or Stripe for it, said no: the object says why. */
  | 'declined'
  /** What the path names is not there. */
  | 'missing'
  /** The call itself is not right. */
  | 'refused'
  /** Nothing was sent: it was too late for that. */
  | 'too_late';

export interface FailureFacts {
  /** The SDK's class, such as StripeCardError. */
  type: string;
  code: string | null;
  declineCode: string | null;
  /** Null = there was no answer. */
  status: number | null;
  requestId: string | null;
  /** The name of the parameter that is not right; never its value. */
  param: string | null;
  /** It is what was answered under the same key before; missing = it is not, or nothing was answered. */
  isReplayed?: boolean;
}

export class StripeFailure extends Error {
  override name = 'StripeFailure';
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts, kind: FailureKind = toFailureKind(facts)) {
    super(toLine(facts, kind));
    this.kind = kind;
    this.facts = facts;
  }
}

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'refused',
  401: 'locked_out',
  402: 'declined',
  403: 'locked_out',
  404: 'missing',
  // The same key is under way: what it brings is not known yet.
  409: 'unknown',
};

/** No answer that can be trusted is no answer: also one that is not what an API says. */
export function toFailureKind({ type, code, status }: FailureFacts): FailureKind {
  if (status === null || status < 400 || status >= 500) return 'unknown';
  // Another call holds the object: unlike with a rate limit this one may have begun.
  if (status === 429) return code === 'lock_timeout' ? 'unknown' : 'limited';
  // Our keys name one call each, so that this is our fault: what the first of them did is to be found out.
  if (type === 'StripeIdempotencyError') return 'unknown';
  return BY_STATUS[status] ?? 'unknown';
}

const WORD = /^[a-z0-9_]{1,100}$/i;

/** Of whatever the SDK threw; what is none of its errors is a bug of ours, and stays one. */
export function toFailure(error: unknown): unknown {
  if (error instanceof StripeFailure || !isOfSdk(error)) return error;
  const { type, code, decline_code, statusCode, requestId, param, headers } = error;
  return new StripeFailure({
    type,
    code: toWord(code),
    declineCode: toWord(decline_code),
    status: typeof statusCode === 'number' ? statusCode : null,
    requestId: toWord(requestId),
    param: typeof param === 'string' ? param.slice(0, 100) : null,
    isReplayed: isReplay(headers),
  });
}

/** Its errors name their class in `type`; of the rest nothing is known. */
function isOfSdk(error: unknown): error is { type: string } & Record<string, unknown> {
  return (
    error instanceof Error &&
    'type' in error &&
    typeof error.type === 'string' &&
    /^Stripe\w+$/.test(error.type)
  );
}

function isReplay(headers: unknown): boolean {
  return (
    typeof headers === 'object' &&
    headers !== null &&
    'idempotent-replayed' in headers &&
    headers['idempotent-replayed'] === 'true'
  );
}

function toWord(value: unknown): string | null {
  return typeof value === 'string' && WORD.test(value) ? value : null;
}

function toLine(
  { type, code, declineCode, status, requestId, param }: FailureFacts,
  kind: FailureKind,
): string {
  const words = [type, status, code, declineCode, param && `param ${param}`, requestId];
  return `Stripe: ${kind} (${words.filter((word) => word !== null && word !== '').join(', ')})`;
}
