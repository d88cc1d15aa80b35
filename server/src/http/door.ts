/** What every request passes by. */
import type { Service } from '../context.ts';
import type { SharedSchemas } from '../domain/logged-body.ts';
import type { Authenticator } from './authenticate.ts';
import type { Cookies } from './cookies.ts';
import type { RateLimits } from './rate-limits.ts';
import type { RequestLog } from './request-log.ts';

export interface Door {
  service: Service;
  authenticator: Authenticator;
  limits: RateLimits;
  cookies: Cookies;
  requestLog: RequestLog;
  /** The schemas that routes refer to, by the name that `$ref` gives them. */
  shared: SharedSchemas;
}
