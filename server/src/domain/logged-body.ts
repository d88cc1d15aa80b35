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

/** The JSON of a value; undefined where nothing of it is kept. */
type Write = (value: unknown, room: Room, depth: number) => string | undefined;

interface Field {
  name: string;
  /** As it stands before its value. */
  label: string;
  isEmail: boolean;
  write: Write;
}

export interface Keeping {
  schema: BodySchema | undefined;
  shared: SharedSchemas;
  bytesMax: number;
}

/** Makes what turns bodies of a schema into JSON; null = empty, or longer than `bytesMax`. */
export function createBodyKeeper({ schema, shared, bytesMax }: Keeping): (body: unknown) => string | null {
  const write = compile(schema, { shared, known: new Map() });
  return (body) => {
    if (typeof body !== 'object' || body === null) return null;
    const room = { left: bytesMax };
    const text = write(body, room, DEPTH_MAX);
    return text === undefined || text === '{}' || text === '[]' || room.left < 0
      ? null
      : toStorable(text, bytesMax);
  };
}

/** Of what we have said ourselves, such as a refusal: whole. */
export function toLoggedText(value: object | null, bytesMax: number): string | null {
  return value === null ? null : toStorable(JSON.stringify(value), bytesMax);
}

/** Of a JSON text: a backslash, or what the store's JSON cannot hold, U+0000 and halves of a surrogate pair. */
const ESCAPED = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g;

/** One row that the store does not take would take all that are written with it along. */
function toStorable(text: string, bytesMax: number): string | null {
  const storable = text.includes('\\u')
    ? text.replace(ESCAPED, (found) => (found === '\\\\' ? found : '\\ufffd'))
    : text;
  return Buffer.byteLength(storable) > bytesMax ? null : storable;
}

interface Compiling {
  shared: SharedSchemas;
  /** By the schema as it is declared: shared ones refer to each other, and to themselves. */
  known: Map<BodySchema, Write>;
}

/** Straight to the text: objects of what is kept, made for JSON.stringify, cost twice as much as the text itself. */
function compile(schema: BodySchema | undefined, compiling: Compiling): Write {
  if (!schema) return () => undefined;
  const known = compiling.known.get(schema);
  if (known) return known;
  const form = resolve(schema, compiling.shared);
  let item: Write | null = null;
  let fields: Field[] | null = null;
  const write: Write = (value, room, depth) => {
    if (!form || depth === 0 || room.left < 0) return undefined;
    if (typeof value === 'object' && value !== null) {
      if (Array.isArray(value)) {
        if (!form.items) return undefined;
        item ??= compile(form.items, compiling);
        return writeItems(item, value, { room, depth });
      }
      if (!form.properties) return undefined;
      fields ??= listFields(form.properties, compiling);
      return writeFields(fields, value as Record<string, unknown>, { room, depth });
    }
    if (form.properties || form.items) return value === null ? 'null' : undefined;
    return writePlain(value, room);
  };
  compiling.known.set(schema, write);
  return write;
}

/** Texts that are their own JSON, as nearly all are: to ask costs a third of JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writePlain(value: unknown, room: Room): string | undefined {
  if (typeof value === 'string') {
    room.left -= value.length + 2;
    return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  }
  room.left -= 1;
  if (value === null) return 'null';
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  const number = typeof value === 'bigint' ? Number(value) : value;
  return Number.isSafeInteger(number) ? `${number}` : JSON.stringify(number);
}

function listFields(properties: Record<string, BodySchema>, compiling: Compiling): Field[] {
  return Object.entries(properties)
    .filter(([name]) => !NEVER.test(name) && !PERSONAL.has(name))
    .map(([name, schema]) => ({
      name,
      label: `${JSON.stringify(name)}:`,
      isEmail: /email$/i.test(name),
      write: compile(schema, compiling),
    }));
}

interface Inside {
  room: Room;
  depth: number;
}

function writeItems(item: Write, values: unknown[], { room, depth }: Inside): string {
  let text = '';
  for (const value of values) {
    if (room.left < 0) break;
    text += `${text === '' ? '[' : ','}${item(value, room, depth - 1) ?? 'null'}`;
  }
  return text === '' ? '[]' : `${text}]`;
}

function writeFields(fields: Field[], values: Record<string, unknown>, { room, depth }: Inside): string {
  let text = '';
  for (const { name, label, isEmail, write } of fields) {
    // Of a parsed body only what it has of its own.
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name];
    const inner = write(value, room, depth - 1);
    if (inner === undefined) continue;
    room.left -= label.length;
    const isMasked = isEmail && typeof value === 'string';
    text += `${text === '' ? '{' : ','}${label}${isMasked ? JSON.stringify(maskEmail(value)) : inner}`;
  }
  return text === '' ? '{}' : `${text}}`;
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
