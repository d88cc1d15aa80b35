/** Whose key it is, and what it may. */

import type { World } from '../../../core/world.ts';
import type { Account } from '../world/rows.ts';
import { ApiError } from './errors.ts';
import type { Route } from './routes.ts';

export interface Caller {
  account: Account;
  isPublishable: boolean;
  permissions: readonly string[] | null;
}

export function identify(world: World, header: string | undefined): Caller {
  const key = readKey(header);
  if (key === '') {
    throw isUnauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  const shown = `${key.slice(0, 8)}${'*'.repeat(12)}${key.slice(-4)}`;
  if (world.store.get('revoked', key))
    throw isUnauthorised(`Expired API Key provided: ${shown}`, 'api_key_expired');
  for (const account of world.store.list<Account>('account')) {
    const permissions = account.restrictedKeys[key] ?? null;
    const isPublishable = account.publishableKey === key;
    if (account.secretKey !== key && !isPublishable && !permissions) continue;
    if (account.isClosed) {
      const message = `The account ${account.id} was closed.`;
      throw new ApiError(403, { type: 'invalid_request_error', code: 'account_invalid', message }, true);
    }
    return { account, isPublishable, permissions };
  }
  throw isUnauthorised(`Invalid API Key provided: ${shown}`);
}

function readKey(header: string | undefined): string {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString().split(':')[0] ?? '';
  return '';
}

function isUnauthorised(message: string, code?: string): ApiError {
  return new ApiError(401, { type: 'invalid_request_error', message, code }, true);
}

/** What else must be right before the call begins. */
export function allow(caller: Caller, route: Route, headers: NodeJS.Dict<string | string[]>): void {
  const { account, isPublishable, permissions } = caller;
  if (isPublishable && !route.isOpen) {
    throw isForbidden(
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      'secret_key_required',
    );
  }
  const other = headers['stripe-account'];
  if (other !== undefined && other !== account.id) {
    throw isForbidden(
      `The provided key does not have access to account '${other}' (or that account does not exist). Application access may have been revoked.`,
      'account_invalid',
    );
  }
  if (!permissions) return;
  const needed = toPermission(route);
  const isAllowed = permissions.includes(needed) || permissions.includes(needed.replace(/:read$/, ':write'));
  if (isAllowed) return;
  throw isForbidden(
    `The provided key does not have the required permissions for this endpoint on account '${account.id}'. Having the '${needed.replace(':', '_')}' permission would allow this request to continue.`,
  );
}

/** `payment_intents:write`, by the first part of the path. */
function toPermission({ method, path }: Route): string {
  const [, , first = '', second = ''] = path.split('/');
  const part = ['radar', 'test_helpers'].includes(first) ? second : first;
  const resource = part === 'account' || part === 'accounts' ? 'account' : part;
  return `${resource}:${method === 'GET' ? 'read' : 'write'}`;
}

function isForbidden(message: string, code?: string): ApiError {
  return new ApiError(403, { type: 'invalid_request_error', message, code }, true);
}
