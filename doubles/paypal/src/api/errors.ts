/** PayPal's errors: a name, and details with an issue each. */

export interface Detail {
  issue: string;
  description: string;
  field?: string;
}

export class ApiError extends Error {
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.name ?? body.error));
    this.status = status;
    this.body = body;
  }
}

const NAMES: Readonly<Record<number, [name: string, message: string]>> = {
  400: ['INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.'],
  403: ['NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.'],
  404: ['RESOURCE_NOT_FOUND', 'The specified resource does not exist.'],
  409: ['RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.'],
  422: [
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
  ],
  429: ['RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'],
  500: ['INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'],
  503: ['SERVICE_UNAVAILABLE', 'The service is temporarily unavailable.'],
};

export function isRefused(status: number, issue: string, field?: string): ApiError {
  const [name, message] = NAMES[status] ?? NAMES[422] ?? ['', ''];
  const detail: Detail = { issue, description: describe(issue), ...(field ? { field } : {}) };
  return new ApiError(status, { name, message, details: [detail] });
}

export function isFailure(status: number, code?: string): ApiError {
  if (status === 401) return isUnauthorised('invalid_token', 'Token signature verification failed');
  if (code) return isRefused(status, code);
  const [name, message] = NAMES[status] ?? [
    'INTERNAL_SERVER_ERROR',
    'An internal server error has occurred.',
  ];
  return new ApiError(status, { name, message, details: [] });
}

export function isUnauthorised(error: string, description: string): ApiError {
  return new ApiError(401, { error, error_description: description });
}

export function isMissing(): ApiError {
  return isRefused(404, 'INVALID_RESOURCE_ID');
}

/** `ORDER_NOT_APPROVED` → "Order not approved." */
function describe(issue: string): string {
  const words = issue.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
