/** The operations of the service as commands: all that is known of them is its own description. */
import { toExample } from './example.ts';

/** What of a JSON schema decides how a flag is read. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  description?: string;
  anyOf?: Schema[];
  deprecated?: boolean;
}

interface Parameter extends Schema {
  name: string;
  in: string;
  schema: Schema;
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  parameters?: Array<Parameter | { $ref: string }>;
  requestBody?: { content: Record<string, { schema: Schema }> };
  'x-sdk'?: { resource: string; method: string; columns: string[]; timeoutMs?: number } | false;
}

export interface Description {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Field {
  /** As the flag says it: `billing-details.country-code`. */
  flag: string;
  /** Where it stands: `['billingDetails', 'countryCode']`. */
  path: string[];
  kind: 'text' | 'number' | 'boolean' | 'list' | 'json';
  /** Of a list. */
  itemKind: 'text' | 'number';
  description: string;
}

/** All that the commands are made of: written beside the program when it is built. */
export interface Catalogue {
  operations: Operation[];
  eventTypes: string[];
}

export interface Operation {
  /** Empty = a word of its own. */
  noun: string;
  verb: string;
  summary: string;
  method: string;
  path: string;
  columns: string[];
  timeoutMs: number | undefined;
  ids: string[];
  query: Field[];
  body: Field[];
  hasBody: boolean;
  /** A command that runs as it is written, with ids that stand for one's own. */
  example: string;
}

const DEPTH_MAX = 3;
const MEDIA_TYPE = 'application/json';

export const toKebab = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();

/** Flags of the commands themselves: a field of such a name is given by --data. */
const TAKEN = new Set(['profile', 'base-url', 'json', 'quiet', 'yes', 'data', 'all', 'max', 'help']);

/** The description, and what each operation shows, by its id. */
export interface Described {
  description: Description;
  examples: Readonly<Record<string, Shown>>;
}

export interface Shown {
  request?: { value: unknown };
  samples: ReadonlyArray<{ source: string }>;
}

export function readCatalogue(described: Described): Catalogue {
  const { description } = described;
  const { EventType } = description.components.schemas;
  return { operations: listOperations(described), eventTypes: (EventType?.enum ?? []).map(String) };
}

/** Those that a key pair may call and whose body is JSON. */
export function listOperations({ description, examples }: Described): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const shown = examples[described.operationId];
      const operation = toOperation(description, { path, method, described, shown });
      return operation ? [operation] : [];
    }),
  );
}

interface Place {
  path: string;
  method: string;
  described: DescribedOperation;
  shown: Shown | undefined;
}

function toOperation(description: Description, { path, method, described, shown }: Place): Operation | null {
  const sdk = described['x-sdk'];
  const content = described.requestBody?.content;
  if (!sdk || (content && !content[MEDIA_TYPE])) return null;
  const isShown = ({ flag }: Field) => !TAKEN.has(flag);
  const bodySchema = content?.[MEDIA_TYPE]?.schema;
  const operation = {
    noun: toKebab(sdk.resource),
    verb: toKebab(sdk.method),
    summary: described.summary,
    method: method.toUpperCase(),
    path,
    columns: sdk.columns,
    timeoutMs: sdk.timeoutMs,
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: listQuery(description, described).filter(isShown),
    body: bodySchema ? toFields(description, { path: [], schema: bodySchema }).filter(isShown) : [],
    hasBody: bodySchema !== undefined,
  };
  const sample = shown?.samples[0]?.source ?? '';
  const example = toExample(operation, { sample, body: shown?.request?.value });
  return { ...operation, example };
}

function listQuery(description: Description, { parameters = [] }: DescribedOperation): Field[] {
  return parameters
    .filter((one): one is Parameter => 'name' in one && one.in === 'query' && !isAlias(one.schema, one))
    .map((one) => {
      const said = one.description ?? one.schema.description ?? '';
      return toField(description, { path: [one.name], schema: { ...one.schema, description: said } });
    });
}

const isAlias = (...schemas: Schema[]) => schemas.some(({ deprecated }) => deprecated === true);

interface Standing {
  path: string[];
  schema: Schema;
}

function toFields(description: Description, { path, schema }: Standing): Field[] {
  const { properties = {} } = resolve(description, schema);
  return Object.entries(properties).flatMap(([name, one]) => {
    if (isAlias(one)) return [];
    const below = { path: [...path, name], schema: one };
    const inner = resolve(description, one).properties;
    const isDeep = below.path.length >= DEPTH_MAX;
    return inner && !isDeep ? toFields(description, below) : [toField(description, below)];
  });
}

function toField(description: Description, { path, schema }: Standing): Field {
  const plain = resolve(description, schema);
  const items = plain.items ? resolve(description, plain.items) : {};
  return {
    flag: path.map(toKebab).join('.'),
    path,
    kind: toKind(plain, items),
    itemKind: isOf(items, 'integer', 'number') ? 'number' : 'text',
    description: schema.description ?? plain.description ?? '',
  };
}

function toKind(plain: Schema, items: Schema): Field['kind'] {
  if (isOf(plain, 'array')) return items.properties || items.anyOf ? 'json' : 'list';
  if (isOf(plain, 'string')) return 'text';
  if (isOf(plain, 'integer', 'number')) return 'number';
  if (isOf(plain, 'boolean')) return 'boolean';
  return plain.enum ? 'text' : 'json';
}

const isOf = ({ type }: Schema, ...types: string[]) => [type ?? []].flat().some((one) => types.includes(one));

/** What a name stands for; of something or null, the something. */
function resolve(description: Description, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name !== undefined) return resolve(description, description.components.schemas[name] ?? {});
  const [first, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return first && others.length === 0 ? resolve(description, first) : schema;
}
