/**
 * What the request log keeps of a body: the fields that the operation declares, and of these none that may open, pay or
 * prove something. What nobody declared may hold anything, and is left out. Every request of a test store passes here:
 * which fields are kept is worked out once for each schema, and a body that is too long is left off at the limit.
 */
import { firstCharacters } from './characters.ts';

/** A JSON schema as routes declare it. */
export interface BodySchema {
  $ref?: string;
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
}

/** Shared schemas by the name that `$ref` gives them, such as `Order#`. */
export type SharedSchemas = ReadonlyMap<string, BodySchema>;

/** Names of fields that are never kept, wherever they stand. */
const NEVER = /pass(word|phrase)|card|key|secret|token|cookie|credential|assertion|sandboxCustomerId|url$/i;
/** What buyers wrote of themselves is theirs to have erased. */
const PERSONAL = new Set(['billingDetails', 'customFields', 'ipAddress', 'paymentData', 'customer']);
const DEPTH_MAX = 12;

/** How much of a text there is still room for; below 0 nothing of the body is kept. */
interface Room {
  left: number;
}

/** Undefined where nothing of a value is kept. */
type Keep = (value: unknown, room: Room, depth: number) => unknown;

interface Field {
  name: string;
  isEmail: boolean;
  keep: Keep;
}

export interface Keeping {
  schema: BodySchema | undefined;
  shared: SharedSchemas;
  bytesMax: number;
}

/** Makes what turns bodies of a schema into JSON; null = empty, or longer than `bytesMax`. */
export function createBodyKeeper({ schema, shared, bytesMax }: Keeping): (body: unknown) => string | null {
  const keep = compile(schema, { shared, known: new Map() });
  return (body) => {
    const room = { left: bytesMax };
    const kept = keep(body, room, DEPTH_MAX);
    return room.left < 0 ? null : toLoggedText(kept, bytesMax);
  };
}

export function toLoggedText(value: unknown, bytesMax: number): string | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null;
  const text = toStorable(JSON.stringify(value));
  return Buffer.byteLength(text) > bytesMax ? null : text;
}

/** Of a JSON text: a backslash, or what the store's JSON cannot hold, U+0000 and halves of a surrogate pair. */
const ESCAPED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g;

/** One row that the store does not take would take all that are written with it along. */
function toStorable(text: string): string {
  if (!text.includes('\\u')) return text;
  return text.replace(ESCAPED, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

interface Compiling {
  shared: SharedSchemas;
  /** By the schema as it is declared: shared ones refer to each other, and to themselves. */
  known: Map<BodySchema, Keep>;
}

function compile(schema: BodySchema | undefined, compiling: Compiling): Keep {
  if (!schema) return () => undefined;
  const known = compiling.known.get(schema);
  if (known) return known;
  const form = resolve(schema, compiling.shared);
  let item: Keep | null = null;
  let fields: Field[] | null = null;
  const keep: Keep = (value, room, depth) => {
    if (!form || depth === 0 || room.left < 0) return undefined;
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) {
        if (!form.items) return undefined;
        item ??= compile(form.items, compiling);
        return keepItems(item, value, { room, depth });
      }
      if (!form.properties) return undefined;
      fields ??= listFields(form.properties, compiling);
      return keepFields(fields, value, { room, depth });
    }
    if (form.properties || form.items) return value === null ? null : undefined;
    room.left -= typeof value === 'string' ? value.length + 2 : 1;
    return typeof value === 'bigint' ? Number(value) : value;
  };
  compiling.known.set(schema, keep);
  return keep;
}

function listFields(properties: Record<string, BodySchema>, compiling: Compiling): Field[] {
  return Object.entries(properties)
    .filter(([name]) => !NEVER.test(name) && !PERSONAL.has(name))
    .map(([name, schema]) => ({ name, isEmail: /email$/i.test(name), keep: compile(schema, compiling) }));
}

interface Inside {
  room: Room;
  depth: number;
}

function keepItems(item: Keep, values: unknown[], { room, depth }: Inside): unknown[] {
  const kept: unknown[] = [];
  for (const value of values) {
    if (room.left < 0) break;
    kept.push(item(value, room, depth - 1) ?? null);
  }
  return kept;
}

function keepFields(fields: Field[], value: object, { room, depth }: Inside): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const { name, isEmail, keep } of fields) {
    // Of a parsed body only what it has of its own.
    if (!Object.hasOwn(value, name)) continue;
    const inner = keep((value as Record<string, unknown>)[name], room, depth - 1);
    if (inner === undefined) continue;
    // With the quotes and the colon.
    room.left -= name.length + 3;
    kept[name] = isEmail && typeof inner === 'string' ? maskEmail(inner) : inner;
  }
  return kept;
}

/** Of several forms all fields that any of them has. */
function resolve(schema: BodySchema, shared: SharedSchemas): BodySchema | undefined {
  if (schema.$ref) return shared.get(schema.$ref);
  const forms = schema.anyOf ?? schema.oneOf;
  if (!forms) return schema;
  const resolved = forms.flatMap((form) => resolve(form, shared) ?? []);
  const properties = Object.assign({}, ...resolved.map((form) => form.properties ?? {}));
  const items = resolved.find((form) => form.items)?.items;
  return { ...(Object.keys(properties).length > 0 ? { properties } : {}), ...(items ? { items } : {}) };
}

/** What stands for what is not kept of an address. */
export const MASK = '••••';

/** Whose it is stays with the order: the log tells addresses apart and no more. */
export function maskEmail(email: string): string {
  const [name = '', ...rest] = email.split('@');
  return rest.length === 0 ? MASK : `${firstCharacters(name, 1)}${MASK}@${rest.join('@')}`;
}
