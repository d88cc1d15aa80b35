/** Why a call to PayPal brought nothing, reduced to what may be logged and kept: never what was sent or answered. */

/** What a failure says of the call that met it. */
export type FailureKind =
  /** It may have been carried out. */
  | 'unknown'
  /** It was not carried out, and may be sent again. */
  | 'limited'
  /** The credentials are not taken, or may not do this. */
  | 'locked_out'
  /** What the path names is not there. */
  | 'missing'
  /** PayPal said no: the issue says why. */
  | 'refused'
  /** Nothing was sent: it was too late for that. */
  | 'too_late';

export interface FailureFacts {
  /** Null = there was no answer. */
  status: number | null;
  /** PayPal's word, such as INSTRUMENT_DECLINED. */
  issue: string | null;
  debugId: string | null;
}

export class PayPalFailure extends Error {
  override name = 'PayPalFailure';
  readonly kind: FailureKind;
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts, kind: FailureKind = toFailureKind(facts)) {
    const words = [facts.status, facts.issue, facts.debugId].filter((word) => word !== null);
    super(`PayPal: ${kind} (${words.join(', ')})`);
    this.kind = kind;
    this.facts = facts;
  }
}

/** The same request is under way elsewhere: what it brings is not known yet. */
const UNDER_WAY = new Set(['PREVIOUS_REQUEST_IN_PROGRESS', 'ORDER_COMPLETION_IN_PROGRESS']);
const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'refused',
  401: 'locked_out',
  403: 'locked_out',
  404: 'missing',
  422: 'refused',
  429: 'limited',
};

/** No answer that can be trusted is no answer. */
function toFailureKind({ status, issue }: FailureFacts): FailureKind {
  if (status === null || (issue !== null && UNDER_WAY.has(issue))) return 'unknown';
  return BY_STATUS[status] ?? 'unknown';
}

const WORD = /^[A-Z0-9_]{1,100}$/i;

/** Of an answer that is not a success. */
export function toFailure(status: number, body: unknown, debugId: string | null): PayPalFailure {
  const issue = readIssue(body);
  return new PayPalFailure({ status, issue, debugId: toWord(debugId) });
}

function readIssue(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { details, name, error } = body as { details?: unknown; name?: unknown; error?: unknown };
  const [first] = Array.isArray(details) ? details : [];
  return toWord((first as { issue?: unknown } | undefined)?.issue) ?? toWord(name) ?? toWord(error);
}

function toWord(value: unknown): string | null {
  return typeof value === 'string' && WORD.test(value) ? value : null;
}

export function toTooLate(): PayPalFailure {
  return new PayPalFailure({ status: null, issue: null, debugId: null }, 'too_late');
}

export function isRefusedFor(error: unknown, issues: ReadonlySet<string>): boolean {
  return error instanceof PayPalFailure && error.facts.issue !== null && issues.has(error.facts.issue);
}
