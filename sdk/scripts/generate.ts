/** `npm run generate`: the SDK's types and methods, from docs/openapi.json and nothing else. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type Described,
  type Description,
  jsonOf,
  listDescribed,
  nameOf,
  type Parameter,
  type Schema,
  type SdkName,
} from '../../server/src/http/description/document.ts';

type Mode = 'input' | 'output';

const SOURCE = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const FOLDER = fileURLToPath(new URL('../src/generated/', import.meta.url));
const NOTE = '/** Generated from docs/openapi.json by `npm run generate`: do not edit. */\n';

interface Called {
  path: string;
  method: string;
  one: Described;
  sdk: SdkName;
}

/** Answers the text of each generated file by its name. */
export function generate(description: Description): Record<string, string> {
  const called = listDescribed(description.paths).flatMap(({ path, method, one }): Called[] =>
    one['x-sdk'] ? [{ path, method, one, sdk: one['x-sdk'] }] : [],
  );
  const types = new Types(description);
  const resources = writeResources(called, types);
  types.useEvents();
  return { 'types.ts': indent(types.write()), 'resources.ts': indent(resources) };
}

/** Collects what is used, as what is sent (closed) or what is answered (open to words that come later). */
class Types {
  readonly #schemas: Record<string, Schema>;
  readonly #used = new Map<string, Set<Mode>>();
  readonly #own: string[] = [];

  constructor({ components }: Description) {
    this.#schemas = components.schemas;
  }

  useEvents(): void {
    for (const name of ['WebhookEvent', 'ExpiredEvent', 'ErrorCode']) this.#use(name, 'output');
  }

  /** What of a body is to be said; whether it must repeat the id of its path. */
  bodyOf(schema: Schema): { fields: string[]; repeatsId: boolean } {
    const { properties = {}, required = [] } = this.#schemas[nameOf(schema) ?? ''] ?? {};
    const fields = Object.keys(properties).filter((name) => properties[name]?.['x-alias-of'] === undefined);
    return { fields, repeatsId: required.length === 1 && required[0] === 'id' };
  }

  resolve(schema: Schema): Schema {
    const name = nameOf(schema);
    return name === null ? schema : (this.#schemas[name] ?? {});
  }

  /** An interface that has no name in the description. */
  declare(name: string, text: string): string {
    this.#own.push(text);
    return name;
  }

  toType(schema: Schema, mode: Mode): string {
    const name = nameOf(schema);
    if (name !== null) return this.#toName(name, mode);
    const parts = schema.anyOf ?? schema.oneOf;
    if (parts) return [...new Set(parts.map((part) => this.toType(part, mode)))].join(' | ');
    if (schema.enum) return toWords(schema, mode);
    const types = [schema.type ?? []].flat();
    if (types.length === 0) return 'unknown';
    return types.map((type) => this.#toPlain(schema, type, mode)).join(' | ');
  }

  #toName(name: string, mode: Mode): string {
    this.#use(name, mode);
    const isWords = this.#schemas[name]?.enum !== undefined;
    if (isWords) return mode === 'output' ? `Open<${name}>` : name;
    return this.#inMode(name, mode);
  }

  /** What is both sent and answered has two types. */
  #inMode(name: string, mode: Mode): string {
    return mode === 'input' && !name.endsWith('Body') && !name.endsWith('Input') ? `${name}Input` : name;
  }

  #toPlain(schema: Schema, type: string, mode: Mode): string {
    if (type === 'integer' || type === 'number') return toNumber(schema);
    if (type === 'array') return `Array<${this.toType(schema.items ?? {}, mode)}>`;
    if (type !== 'object') return type;
    const { properties = {}, additionalProperties: others } = schema;
    if (Object.keys(properties).length > 0) return this.toObject(schema, mode);
    return `Record<string, ${typeof others === 'object' ? this.toType(others, mode) : 'unknown'}>`;
  }

  toObject({ properties = {}, required = [] }: Schema, mode: Mode): string {
    const lines = Object.entries(properties).flatMap(([name, field]) => {
      if (field['x-alias-of'] !== undefined) return [];
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      if (properties.type?.not && name === 'data')
        return [`${toComment(textOf(field))}data: ${this.#toLaterData()};`];
      const optional = required.includes(name) ? '' : '?';
      return [`${toComment(textOf(field))}${key}${optional}: ${this.toType(field, mode)};`];
    });
    // What has no fields of its own may be empty, and nothing else.
    return lines.length === 0 ? 'Record<string, never>' : `{\n${lines.join('\n')}\n}`;
  }

  /** Of the event whose type is none of the known. */
  #toLaterData(): string {
    const events = this.resolve({ $ref: 'WebhookEvent' }).anyOf ?? [];
    const known = events.flatMap((one) => nameOf(this.resolve(one).properties?.data ?? {}) ?? []);
    return `LaterData<${[...new Set(known)].join(' & ')}>`;
  }

  #use(name: string, mode: Mode): void {
    const modes = this.#used.get(name) ?? new Set();
    if (modes.has(mode)) return;
    this.#used.set(name, modes.add(mode));
    // What lies within is used, too.
    const schema = this.#schemas[name];
    if (schema && !schema.enum) this.toType(schema, mode);
  }

  write(): string {
    const components = [...this.#used].sort(([a], [b]) => (a < b ? -1 : 1));
    const declared = components.flatMap(([name, modes]) => {
      const schema = this.#schemas[name] ?? {};
      if (schema.enum)
        return [`${toComment(schema.description)}export type ${name} = ${toWords(schema, 'input')};`];
      return [...modes].map((mode) => {
        const start = `${toComment(schema.description)}export `;
        if (schema.properties && this.bodyOf({ $ref: name }).fields.length > 0)
          return `${start}interface ${this.#inMode(name, mode)} ${this.toObject(schema, mode)}`;
        return `${start}type ${this.#inMode(name, mode)} = ${this.toType(schema, mode)};`;
      });
    });
    return [NOTE, PLAIN_TYPES, ...declared, ...this.#own].join('\n');
  }
}

const PLAIN_TYPES = `/** Integer minor units of a currency, such as cents. */
export type Minor = number;
/** Milliseconds since 1970. */
export type UnixMs = number;
/** A word of a list to which a later version may add. */
export type Open<T extends string> = T | OtherWord;
/** Any other word; those that are known are still offered by editors. */
export type OtherWord = string & Record<never, never>;
/**
 * What an event of a later version holds: anything, under other names than the known ones have. Those are \`never\` here,
 * since its type is any string: so a check of \`type\` is enough to read what a known one holds.
 */
export type LaterData<Known> = Record<string, unknown> & { [Name in keyof Known]: never };
`;

function toWords({ enum: words = [] }: Schema, mode: Mode): string {
  const literals = words.map((word) => (word === null ? 'null' : `'${String(word)}'`));
  const isOpen = mode === 'output' && words.length > 1;
  return [...literals, ...(isOpen ? ['OtherWord'] : [])].join(' | ');
}

/** Sums and moments share their bounds, as does what a list leaves out: a sum's sentence names its unit. */
function toNumber(schema: Schema): string {
  const { minimum, maximum, description = '' } = schema;
  if (schema['x-time']) return 'UnixMs';
  if (schema['x-price'] || minimum === -Number.MAX_SAFE_INTEGER || /minor units/i.test(description))
    return 'Minor';
  const isCount = description.startsWith('Rows');
  return minimum === 0 && maximum === Number.MAX_SAFE_INTEGER && !isCount ? 'UnixMs' : 'number';
}

const textOf = ({ description, items }: Schema) => description ?? items?.description;

function toComment(text: string | undefined): string {
  return text === undefined ? '' : `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', ' ')} */\n`;
}

function writeResources(called: readonly Called[], types: Types): string {
  const resources = new Map<string, string[]>();
  const table: string[] = [];
  for (const each of called) {
    const { resource, method } = each.sdk;
    const lines = resources.get(resource) ?? [];
    resources.set(resource, [...lines, writeMethod(each, types)]);
    table.push(`'${resource === '' ? '' : `${resource}.`}${method}': '${toEntry(each, types)}',`);
  }
  const interfaces = [...resources].map(([name, methods]) =>
    name === ''
      ? `export interface RootMethods {\n${methods.join('\n')}\n}`
      : `export interface ${toResourceName(name)} {\n${methods.join('\n')}\n}`,
  );
  const members = [...resources.keys()].filter((name) => name !== '');
  const all = `export interface Resources extends RootMethods {\n${members
    .map((name) => `readonly ${name}: ${toResourceName(name)};`)
    .join('\n')}\n}`;
  return [
    NOTE,
    "import type { Call, CallOptions, Listing, UploadInput } from '../call.ts';",
    "import type * as T from './types.ts';",
    '',
    ...interfaces,
    all,
    '',
    '/** By name: method, path, what it takes (q query, b body, i body with the id, l list of what, u upload, n nothing), and its time-out in ms. */',
    `export const OPERATIONS: Readonly<Record<string, string>> = {\n${table.join('\n')}\n};\n`,
  ].join('\n');
}

const toTypeName = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
const toResourceName = (resource: string) => `${toTypeName(resource)}Resource`;

/** `POST /v0/orders/{}/refunds b`, `GET /v0/orders/list l:orders`. */
function toEntry({ path, method, one, sdk }: Called, types: Types): string {
  const rows = rowsOf(one, types);
  const isUpload = one.requestBody !== undefined && jsonOf(one.requestBody) === undefined;
  const takes = isUpload ? 'u' : rows ? `l:${rows.name}` : toTakes(method, one, types);
  const timeout = sdk.timeoutMs === undefined ? '' : ` ${sdk.timeoutMs}`;
  return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')} ${takes}${timeout}`;
}

function toTakes(method: string, one: Described, types: Types): 'q' | 'b' | 'i' | 'n' {
  const body = jsonOf(one.requestBody)?.schema;
  const { fields, repeatsId } = body ? types.bodyOf(body) : { fields: [], repeatsId: false };
  if (fields.length > 0) return repeatsId ? 'i' : 'b';
  return method === 'get' && (one.parameters ?? []).some((parameter) => parameter.in === 'query') ? 'q' : 'n';
}

/** A list that is read page by page, and what it holds. */
function rowsOf(one: Described, types: Types): { name: string; items: Schema } | null {
  const { properties = {} } = types.resolve(jsonOf(one.responses['200'])?.schema?.properties?.data ?? {});
  if (!properties.hasMore || !properties.previousCursor) return null;
  const found = Object.entries(properties).find(([, field]) => field.items);
  return found?.[1].items ? { name: found[0], items: found[1].items } : null;
}

function writeMethod({ one, sdk }: Called, types: Types): string {
  const title = toTypeName(one.operationId);
  const own = (one.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const ids = own.filter((parameter) => parameter.in === 'path').map(({ name }) => `${name}: string`);
  const query = own.filter((parameter) => parameter.in === 'query' && parameter['x-alias-of'] === undefined);
  const rows = rowsOf(one, types);
  const input = toInput({ one, title, query, types });
  const options = 'options?: CallOptions';
  const args = [...ids, ...(input === null ? [] : [input]), options].join(', ');
  const answer = rows
    ? `Listing<${qualify(types.toType(rows.items, 'output'))}>`
    : `Call<${toDataName(one, title, types)}>`;
  return `${toComment([one.summary, one.description].filter(Boolean).join('. '))}${sdk.method}(${args}): ${answer};`;
}

interface Input {
  one: Described;
  title: string;
  query: readonly Parameter[];
  types: Types;
}

/** The argument after the ids: a body, a query, or nothing. */
function toInput({ one, title, query, types }: Input): string | null {
  if (one.requestBody) {
    const body = jsonOf(one.requestBody)?.schema;
    if (!body) return 'input: UploadInput';
    const { fields, repeatsId } = types.bodyOf(body);
    if (fields.length === 0) return null;
    if (repeatsId) return `body?: Omit<${qualify(types.toType(body, 'input'))}, 'id'>`;
    return `body${one.requestBody.required ? '' : '?'}: ${qualify(types.toType(body, 'input'))}`;
  }
  if (query.length === 0) return null;
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, description ? { ...schema, description } : schema]),
  );
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  const text = types.toObject({ properties, required }, 'input');
  const name = types.declare(`${title}Query`, `export interface ${title}Query ${text}`);
  return `query${required.length > 0 ? '' : '?'}: T.${name}`;
}

function toDataName(one: Described, title: string, types: Types): string {
  const data = jsonOf(one.responses['200'])?.schema?.properties?.data ?? {};
  if (nameOf(data) !== null) return qualify(types.toType(data, 'output'));
  const text = types.toObject(data, 'output');
  return `T.${types.declare(`${title}Data`, `export interface ${title}Data ${text}`)}`;
}

/** Names of types.ts, as resources.ts knows them. */
function qualify(type: string): string {
  return type.startsWith('{')
    ? type
    : type.replace(/\b[A-Z]\w+/g, (name) => (name === 'Array' || name === 'Record' ? name : `T.${name}`));
}

/** Two spaces for each brace that is open. */
function indent(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    if (/^[}\]]/.test(line)) depth -= 1;
    const indented = line === '' ? '' : `${'  '.repeat(depth)}${line}`;
    if (line.endsWith('{')) depth += 1;
    return indented;
  });
  return lines.join('\n');
}

/** Writes the files. */
export function writeGenerated(): void {
  const files = generate(JSON.parse(readFileSync(SOURCE, 'utf8')) as Description);
  for (const [name, text] of Object.entries(files)) writeFileSync(`${FOLDER}${name}`, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeGenerated();
