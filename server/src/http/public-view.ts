/**
 * What the public key alone is shown of an answer. Links that open or pay something, words that are worth money, and
 * what somebody wrote or came from are not data of the catalogue or of a sale: they are left out in every object,
 * wherever it stands, and in what an event told.
 */
import { isLongerThan, lastCharacters } from '../domain/characters.ts';

/** Null wherever they stand. */
const HIDDEN = new Set([
  'payUrl',
  'invoiceUrl',
  'creditNoteUrl',
  'ipAddress',
  'cancelReason',
  'cancelComment',
  'validationUrl',
  // Of rows of lists: what tells of a person or of the stock.
  'userEmail',
  'spent',
  'stock',
]);

/** Null in objects of one kind, by their `object`. */
const HIDDEN_OF: Readonly<Record<string, ReadonlySet<string>>> = {
  refund: new Set(['note']),
  order: new Set(['customFields']),
  user: new Set(['deletion']),
  payment: new Set(['customFields']),
  checkoutSession: new Set(['url', 'token']),
  webhook_attempt: new Set(['request', 'response', 'responseText', 'errorDetail']),
  offer: new Set(['keys', 'soldItems', 'limit']),
};

const SHOWN_OF_CODE = 2;

/** A copy of an answer's data without what needs the secret key. */
export function toPublicView(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(toPublicView);
  if (typeof data !== 'object' || data === null) return data;
  const object = data as Record<string, unknown>;
  const kind = String(object.object ?? '');
  const view: Record<string, unknown> = {};
  for (const name in object) view[name] = toPublicField(kind, name, object[name]);
  return view;
}

function toPublicField(kind: string, name: string, value: unknown): unknown {
  if (HIDDEN.has(name) || HIDDEN_OF[kind]?.has(name)) return null;
  if (name === 'discountCode' && typeof value === 'string') return maskCode(value);
  if (kind === 'webhook' && name === 'url' && typeof value === 'string') return withoutQuery(value);
  return toPublicView(value);
}

/** The last characters tell codes apart to whoever knows them. */
function maskCode(code: string): string {
  return `••••${isLongerThan(code, SHOWN_OF_CODE) ? lastCharacters(code, SHOWN_OF_CODE) : ''}`;
}

/** A query may hold the receiver's own key. */
function withoutQuery(url: string): string {
  const at = url.search(/[?#]/);
  return at < 0 ? url : url.slice(0, at);
}
