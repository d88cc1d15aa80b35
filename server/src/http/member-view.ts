/**
 * What a session is shown of an answer: all that the secret key is shown, but secrets that are revealed one by one, and
 * links that pay something to whoever may write no orders.
 */
import { isLongerThan, lastCharacters } from '../domain/characters.ts';
import { mayDo, type Permissions, type Role } from '../domain/roles.ts';

interface Reader {
  role: Role;
  permissions: Permissions | null;
  testMode: boolean;
}

const SHOWN_OF_SECRET = 4;

export function toMemberView(data: unknown, { role, permissions, testMode }: Reader): unknown {
  const withPayUrl = mayDo(role, permissions, { area: 'orders', access: 'write', testMode });
  return toView(data, withPayUrl);
}

/** The same for a file: whatever key made it, a secret is none of its cells. */
export function toFileView(row: Record<string, unknown>, withPayUrl: boolean): Record<string, unknown> {
  // An object's view is an object.
  return toView(row, withPayUrl) as Record<string, unknown>;
}

function toView(data: unknown, withPayUrl: boolean): unknown {
  if (Array.isArray(data)) return data.map((one) => toView(one, withPayUrl));
  if (typeof data !== 'object' || data === null) return data;
  const object = data as Record<string, unknown>;
  const view: Record<string, unknown> = {};
  for (const name in object) {
    const value = object[name];
    if (name === 'payUrl' && !withPayUrl) view[name] = null;
    else if (isMasked(object, name) && typeof value === 'string') view[name] = mask(value);
    else if (isMasked(object, name) && Array.isArray(value)) view[name] = value.map(maskEach);
    else view[name] = toView(value, withPayUrl);
  }
  return view;
}

const SECRETS_OF: Readonly<Record<string, ReadonlySet<string>>> = {
  webhook: new Set(['secret']),
  item: new Set(['keys', 'productKeys']),
  offer_key: new Set(['key']),
};

function isMasked(object: Record<string, unknown>, name: string): boolean {
  return SECRETS_OF[String(object.object ?? '')]?.has(name) ?? false;
}

/** Keys stand in a list as texts, or each with its id. */
function maskEach(value: unknown): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value !== 'object' || value === null || !('key' in value)) return value;
  return typeof value.key === 'string' ? { ...value, key: mask(value.key) } : value;
}

function mask(secret: string): string {
  return `••••${isLongerThan(secret, 2 * SHOWN_OF_SECRET) ? lastCharacters(secret, SHOWN_OF_SECRET) : ''}`;
}
