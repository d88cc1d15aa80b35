/** The description as the rules of `npm run check` read it: docs/openapi.json, whose shape is known. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  deprecated?: boolean;
  additionalProperties?: boolean | Schema;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  description?: string;
  schema: Schema;
  deprecated?: boolean;
  'x-alias-of'?: string;
}

export interface Answer {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema; examples?: Record<string, { $ref?: string }> }>;
}

export interface SdkName {
  resource: string;
  method: string;
  columns: string[];
  timeoutMs?: number;
}

export interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security: Array<Record<string, unknown>>;
  parameters?: Parameter[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: Schema; example?: unknown; examples?: Record<string, unknown> }>;
  };
  responses: Record<string, Answer>;
  'x-sdk'?: SdkName | false;
  'x-secret'?: boolean;
}

export type Paths = Record<string, Record<string, Described>>;

export interface Description {
  paths: Paths;
  webhooks?: Record<string, Record<string, { requestBody: NonNullable<Described['requestBody']> }>>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    headers?: Record<string, { description?: string }>;
  };
}

export interface NamedOperation<T = Described> {
  path: string;
  method: string;
  one: T;
}

export function listDescribed<T>(paths: Record<string, Record<string, T>>): Array<NamedOperation<T>> {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ path, method, one })),
  );
}

/** What a reference points to; a schema that is none is itself. */
export function resolve({ components }: Description, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components.schemas[name] ?? {});
}

/** The `data` of an operation's answer. */
export function dataOf(description: Description, { responses }: Described): Schema {
  const answer = responses['200']?.content?.['application/json']?.schema ?? {};
  return resolve(description, resolve(description, answer).properties?.data ?? {});
}
