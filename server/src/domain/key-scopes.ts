/** What a key pair may be narrowed to: the areas of the API, each to be read or written. */
import { invalidField } from './errors.ts';

/** In the words of the operations' tags; what an area holds is said by the operations. */
export const AREAS = [
  'corrections',
  'custom-fields',
  'discounts',
  'elements',
  'events',
  'files',
  'ledger',
  'mails',
  'offer-keys',
  'offers',
  'orders',
  'payments',
  'products',
  'settings',
  'subscriptions',
  'tax',
  'test-clock',
  'users',
  'webhooks',
] as const;

const MODES = ['read', 'write'];

/** A scope that fits no operation would make a pair that does less than its maker thinks, and says nothing of it. */
export function checkScopes(scopes: readonly string[] | null): void {
  for (const scope of scopes ?? []) {
    const [area = '', mode = '', ...rest] = scope.split(':');
    if (!AREAS.some((known) => known === area)) {
      throw invalidField('scopes', `names the area "${area}", which is none of ${AREAS.join(', ')}`);
    }
    if (!MODES.includes(mode) || rest.length > 0) {
      throw invalidField('scopes', `holds "${scope}": an area is followed by :read or :write`);
    }
  }
}
