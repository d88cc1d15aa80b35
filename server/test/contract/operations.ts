/** The operations of the description as the fuzzer needs them. */
import type { Description, NamedOperation, Schema as Wide } from '../../src/http/description/document.ts';
import type { TestApp } from '../support/harness.ts';
import { inlineSchema } from '../support/plain-description.ts';
import { routesOfPairs } from '../support/routes-of-pairs.ts';

const OF_PAIRS: ReadonlySet<string> = new Set(routesOfPairs.map(({ operationId }) => operationId));

/** A JSON schema as TypeBox writes it and the description shows it. */
export interface Schema {
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  'x-time'?: boolean;
  'x-upper-case'?: boolean;
}

export interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}

export interface Operation {
  id: string;
  tag: string;
  method: string;
  /** With `{name}` parameters. */
  path: string;
  params: Parameter[];
  query: Parameter[];
  /** Of operations that take JSON; null of those that take nothing. */
  body: Schema | null;
  example: Record<string, unknown> | null;
  takesFile: boolean;
  needsSecret: boolean;
}

export function listOperations({ app }: TestApp): Operation[] {
  // The document is our own and its shape is known.
  const description = JSON.parse(JSON.stringify(app.swagger())) as Description;
  return Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      // What a key pair cannot do, or by name alone, has tests of its own.
      .filter(([, { operationId }]) => OF_PAIRS.has(operationId))
      .map(([method, one]) => toOperation(description, { method, path, one })),
  );
}

function toOperation(description: Description, { method, path, one }: NamedOperation): Operation {
  const content = one.requestBody?.content ?? {};
  const json = content['application/json'];
  // Of what the description holds the fuzzer knows these keywords.
  const plain = (schema: Wide) => inlineSchema(description, schema) as Schema;
  const body = json?.schema ? plain(json.schema) : null;
  // What every write takes is tried with all of them at once.
  const own = (one.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const parameters = own.map((parameter) => ({ ...parameter, schema: plain(parameter.schema) }));
  return {
    id: one.operationId,
    tag: one.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    params: parameters.filter((parameter) => parameter.in === 'path'),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    body,
    // Examples of bodies are objects.
    example: (json?.example as Record<string, unknown> | undefined) ?? null,
    takesFile: body === null && Object.keys(content).length > 0,
    needsSecret: (one.security ?? []).some((keys) => 'secretKey' in keys),
  };
}
