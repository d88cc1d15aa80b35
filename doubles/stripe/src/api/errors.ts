/** Stripe's errors, as its documentation lists them. */

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string | undefined;
  param?: string | undefined;
  decline_code?: string | undefined;
  advice_code?: string | undefined;
  network_decline_code?: string | undefined;
  charge?: string | undefined;
  payment_intent?: unknown;
  payment_method?: unknown;
  setup_intent?: unknown;
  doc_url?: string | undefined;
  request_log_url?: string | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Nothing was begun: an idempotency key does not keep it. */
  readonly isBeforeAll: boolean;

  constructor(status: number, body: ErrorBody, isBeforeAll = false) {
    super(body.message);
    this.status = status;
    this.body = body.code ? { ...body, doc_url: toDocUrl(body.code) } : body;
    this.isBeforeAll = isBeforeAll;
  }
}

function toDocUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`;
}

/** A call that is wrong in itself. */
export function isInvalid(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, { type: 'invalid_request_error', message, param, code }, true);
}

/** A call that does not fit what is. */
export function isRefused(message: string, more: Partial<ErrorBody> = {}, status = 400): ApiError {
  return new ApiError(status, { type: 'invalid_request_error', message, ...more });
}

export function isMissing(name: string, id: string, param: string, isLive: boolean | null = null): ApiError {
  const other =
    isLive === null
      ? ''
      : `; a similar object exists in ${isLive ? 'test' : 'live'} mode, but a ${isLive ? 'live' : 'test'} mode key was used to make this request.`;
  // Only what the path names is not found; a parameter that names nothing is a bad request.
  return isRefused(
    `No such ${name}: '${id}'${other}`,
    { code: 'resource_missing', param },
    param === 'id' ? 404 : 400,
  );
}

export function isOfWrongState(
  what: 'payment_intent' | 'setup_intent',
  message: string,
  object: unknown,
): ApiError {
  return isRefused(message, { code: `${what}_unexpected_state`, [what]: object });
}

export function isDeclined(body: Omit<ErrorBody, 'type'>): ApiError {
  return new ApiError(402, { type: 'card_error', ...body });
}
