/** What a call throws. Nothing of it shows a key. */
import type { ErrorCode, Open } from './generated/types.ts';

/** Known to every copy of this package, ESM and CommonJS alike. */
const MARK = Symbol.for('counterfoil.error');

export class CounterfoilError extends Error {
  override name = 'CounterfoilError';
  readonly [MARK] = true;

  static is(error: unknown): error is CounterfoilError {
    return typeof error === 'object' && error !== null && MARK in error;
  }
}

export interface ErrorDetail {
  path?: string;
  message?: string;
  object?: string;
  id?: string;
  current?: Record<string, unknown>;
}

export interface ApiErrorFacts {
  status: number;
  code: string;
  message: string;
  details: ErrorDetail[];
  requestId: string | null;
  retryAfterMs: number | null;
  /** How often it was tried. */
  attempts: number;
  docUrl: string;
}

/** The service refused. */
export class ApiError extends CounterfoilError implements ApiErrorFacts {
  override name = 'ApiError';
  readonly status: number;
  readonly code: Open<ErrorCode>;
  readonly details: ErrorDetail[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly attempts: number;
  readonly docUrl: string;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.attempts = facts.attempts;
    this.docUrl = facts.docUrl;
  }
}

/** 400, 413, 415, 422: what was sent. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError';
}
/** 401: the keys. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 403: what the keys may. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 409, 412: what it is about is in another state. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** No answer came: whether the call had its effect is not known, and the same call again has it once. */
export class ConnectionError extends CounterfoilError {
  override name = 'ConnectionError';
  /** How often it was tried. */
  readonly attempts: number;

  constructor(message: string, { attempts = 1, ...options }: ErrorOptions & { attempts?: number } = {}) {
    super(message, options);
    this.attempts = attempts;
  }
}
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError';
}

const CLASSES: Readonly<Record<number, typeof ApiError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: InvalidRequestError,
  409: ConflictError,
  412: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

export function toApiError(facts: ApiErrorFacts): ApiError {
  const Class = CLASSES[facts.status] ?? (facts.status >= 500 ? ServerError : ApiError);
  return new Class(facts);
}

/** Narrows to a refusal with one of the catalogue's words. */
export function hasCode<const C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is ApiError & { readonly code: C } {
  return CounterfoilError.is(error) && 'code' in error && (codes as unknown[]).includes(error.code);
}
