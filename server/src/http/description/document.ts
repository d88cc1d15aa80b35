/** The description as its parts read and change it. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  deprecated?: boolean;
  'x-alias-of'?: string;
  [keyword: string]: unknown;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
  deprecated?: boolean;
  'x-alias-of'?: string;
}

export interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value?: unknown }>;
}

export interface Answer {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Content>;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, Content>;
}

export interface SdkName {
  /** Empty = the client itself. */
  resource: string;
  method: string;
  /** What a table shows of each row; empty where one object is answered. */
  columns: readonly string[];
  /** Where a client must wait longer than for most; 0 = as long as it takes. */
  timeoutMs?: number;
}

export interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Array<Record<string, unknown>>;
  parameters?: Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, Answer>;
  'x-sdk'?: SdkName | false;
  'x-secret'?: boolean;
  'x-codeSamples'?: readonly CodeSample[] | { $ref: string };
}

export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

export interface Header {
  description: string;
  schema: Schema;
}

export interface Description {
  servers?: Array<{ url: string }>;
  paths: Record<string, Record<string, Described>>;
  webhooks?: Record<string, Record<string, object>>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    headers?: Record<string, Header>;
    responses?: Record<string, Answer>;
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

const JSON_TYPE = 'application/json';
/** The JSON of a body or an answer. */
export const jsonOf = (holder: { content?: Record<string, Content> } | undefined): Content | undefined =>
  holder?.content?.[JSON_TYPE];

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
/** What a reference points to by its name; null = it is none. */
export const nameOf = ({ $ref }: { $ref?: string }): string | null => $ref?.split('/').at(-1) ?? null;

/** What a reference points to; a schema that is none is itself. */
export function resolve({ components }: Description, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === null ? schema : (components.schemas[name] ?? {});
}

/** What an answer says of itself: of a refusal its codes. */
export function textOfAnswer({ components }: Pick<Description, 'components'>, answer: Answer): string {
  return answer.description ?? components.responses?.[nameOf(answer) ?? '']?.description ?? '';
}

/** The `data` of an operation's answer. */
export function dataOf(description: Description, { responses }: Described): Schema | undefined {
  const answer = jsonOf(responses['200'])?.schema ?? {};
  const { data } = resolve(description, answer).properties ?? {};
  return data && resolve(description, data);
}

/** The schemas right below one, each with how it is reached. */
export function partsOf(schema: Schema): Array<[string, Schema]> {
  const { properties = {}, items, additionalProperties: others, anyOf = [], oneOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, part]): [string, Schema] => [`.${name}`, part]),
    ...(items ? [['[]', items] as [string, Schema]] : []),
    ...(typeof others === 'object' ? [['.*', others] as [string, Schema]] : []),
    ...[...anyOf, ...oneOf].map((part): [string, Schema] => ['', part]),
  ];
}
