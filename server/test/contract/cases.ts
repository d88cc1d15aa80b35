/** What the fuzzer sends: one arbitrary an operation, drawn from kinds that each expect something else. */
import fc from 'fast-check';
import type { Operation, Parameter, Schema } from './operations.ts';
import { fitting, kindOf, markExample, toMark, WEIRD_TEXTS, withoutDoubles, wrong } from './values.ts';

/**
 * What must become of a request: `fits` = whatever the description allows, and refused where the body does
 * not fit it; the rest as it says. A number is the only status that will do.
 */
export type Expected = 'fits' | 'refused' | 'as unknown' | 400 | 401 | 405 | 413 | 415;

export interface Case {
  expected: Expected;
  method: string;
  /** With marks, encoded. */
  path: string;
  query: Array<[string, string]>;
  /** An object whose marks are still to be filled in, a raw text, or nothing. */
  body: { json: unknown } | { raw: string | Buffer } | null;
  contentType: string | null;
  keys: 'own' | 'public' | 'none' | 'mixed' | 'unknown' | 'other mode' | 'in the query';
  headers: Record<string, string>;
  /** Whose ids fill the marks of the path. */
  idsOf: 'own' | 'other' | 'live';
}

export function casesOf(operation: Operation): fc.Arbitrary<Case> {
  const plain = plainCase(operation);
  const kinds: Array<fc.WeightedArbitrary<Case>> = [
    { weight: 8, arbitrary: plain },
    { weight: 3, arbitrary: strangers(operation, plain) },
    { weight: 1, arbitrary: wrongMethods(operation, plain) },
    { weight: 1, arbitrary: oddHeaders(plain) },
  ];
  if (operation.query.length > 0) kinds.push({ weight: 6, arbitrary: wrongQueries(operation, plain) });
  if (operation.params.length > 0) {
    kinds.push({ weight: 3, arbitrary: wrongPaths(operation, plain) });
    kinds.push({ weight: 4, arbitrary: foreignPaths(operation, plain) });
  }
  if (operation.method !== 'GET' && !operation.takesFile) {
    kinds.push({ weight: 4, arbitrary: rawBodies(plain) });
    kinds.push({ weight: 1, arbitrary: wrongTypes(plain) });
  }
  if (operation.body) kinds.push({ weight: 9, arbitrary: brokenBodies(operation, operation.body, plain) });
  return fc.oneof(...kinds);
}

function plainCase(operation: Operation): fc.Arbitrary<Case> {
  const paths = fc.tuple(...operation.params.map(() => fc.nat(99))).map((ns) => fillPath(operation, ns));
  const queries = fc
    .subarray(operation.query, { maxLength: Math.min(4, operation.query.length) })
    .chain((parameters) =>
      fc.tuple(...parameters.map((parameter) => fittingQuery(parameter, operation.tag))),
    );
  const takenHeaders: Record<string, string> = operation.takesFile ? { 'x-file-name': 'a.bin' } : {};
  return fc.tuple(paths, queries, bodies(operation)).map(([path, query, body]) => ({
    expected: 'fits',
    method: operation.method,
    path,
    query: query.flat(),
    body,
    contentType:
      body && !operation.takesFile
        ? 'application/json'
        : operation.takesFile
          ? 'application/octet-stream'
          : null,
    keys: 'own',
    headers: takenHeaders,
    idsOf: 'own',
  }));
}

/** Some operations are for objects in one state alone, which are few. */
function kindInPath({ id, path, tag }: Operation, name: string): string {
  if (id === 'cancelPayment') return 'openPayment';
  if (name === 'planId') return 'plan';
  if (name === 'productId' && path.includes('/plans/')) return 'planProduct';
  return kindOf(name, tag) ?? name;
}

function fillPath(operation: Operation, ns: readonly number[]): string {
  const last = operation.params.at(-1);
  const lastKind = last && kindInPath(operation, last.name);
  return operation.params.reduce((path, { name }, index) => {
    const isOwner = operation.params.length > 1 && index === 0;
    const kind = isOwner ? `${lastKind} owner` : kindInPath(operation, name);
    // What something belongs to is found under the same number as the thing.
    return path.replace(`{${name}}`, toMark(kind, ns[isOwner ? 1 : index] ?? 0));
  }, operation.path);
}

/** Made anew for each object: another one has the example's already. */
const UNIQUE = new Set(['email', 'key']);

function bodies(operation: Operation): fc.Arbitrary<Case['body']> {
  const { body, takesFile, method } = operation;
  if (method === 'GET') return fc.constant(null);
  if (takesFile) return fc.uint8Array({ maxLength: 400 }).map((bytes) => ({ raw: Buffer.from(bytes) }));
  if (!body) return fc.constantFrom(null, { json: {} });
  const whole = fitting(body, '', operation.tag) as fc.Arbitrary<Record<string, unknown>>;
  const names = Object.keys(body.properties ?? {});
  // Few fields at a time, laid over what is known to work: most such bodies are accepted.
  const always = names.filter((name) => UNIQUE.has(name) && operation.id.startsWith('create'));
  const laid = fc
    .tuple(whole, fc.subarray(names, { maxLength: Math.min(3, names.length) }), fc.nat(99))
    .map(([fields, chosen, n]) => {
      const over = [...always, ...chosen].filter((name) => name in fields);
      return withoutDoubles({
        ...markExample(operation, n),
        ...(operation.id === 'createCustomField' ? { required: false } : {}),
        ...Object.fromEntries(over.map((name) => [name, fields[name]])),
      });
    });
  return fc.oneof(
    { weight: 5, arbitrary: laid.map((json) => ({ json })) },
    { weight: 1, arbitrary: whole.map((json) => ({ json })) },
    { weight: 1, arbitrary: fc.constant({ json: {} }) },
  );
}

/** Every spelling of the contract: `a=1&a=2`, `a[]=1` and `a=1,2`. */
function fittingQuery({ name, schema }: Parameter, tag: string): fc.Arbitrary<Array<[string, string]>> {
  const isList = schema.type === 'array';
  const one = fitting(isList ? (schema.items ?? {}) : schema, name, tag).map(String);
  if (!isList) return one.map((value) => [[name, value]]);
  return fc
    .tuple(fc.array(one, { maxLength: 3 }), fc.constantFrom('', '[]', ','))
    .map(([values, form]) =>
      form === ','
        ? [[name, values.join(',')] as [string, string]]
        : values.map((value) => [`${name}${form}`, value] as [string, string]),
    );
}

/** Values that the parameter's schema does not take, whatever the rest of the request says. */
function wrongQueries(operation: Operation, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const choices = operation.query.flatMap(({ name, schema }) =>
    notQueryValues(schema.type === 'array' ? (schema.items ?? {}) : schema).map((value) => ({ name, value })),
  );
  const [first, ...rest] = choices;
  if (!first) return plain;
  return fc.tuple(plain, fc.constantFrom(first, ...rest)).map(([one, { name, value }]) => ({
    ...one,
    expected: 'refused',
    query: [...one.query.filter(([other]) => other.replace(/\[\]$/, '') !== name), [name, value]],
  }));
}

function notQueryValues(schema: Schema): string[] {
  const texts = ['a\u0000b'];
  const tooLong = schema.maxLength ? ['x'.repeat(schema.maxLength + 1)] : [];
  if (schema['x-time']) return ['soon', '-1', '1.5', '2026-13-01', '1e400', ...texts];
  if (schema.enum) return ['NOT_A_WORD', '__proto__', ...texts];
  if (schema.type === 'boolean') return ['maybe', '2', ...texts];
  if (schema.type === 'integer') return ['x', '1.5', 'Infinity', '1e400', '9007199254740993', ...texts];
  if (schema.type === 'number') return ['x', 'NaN', '0x10', ...texts];
  if (schema.format === 'uuid') return ['x', '018f3c5e', "'", ...texts];
  if (schema.pattern === '^[A-Z]{2}$')
    return [...(schema['x-upper-case'] ? [] : ['de']), 'DEU', '1', ...texts];
  return [...tooLong, ...texts];
}

function brokenBodies(operation: Operation, body: Schema, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const example = markExample(operation);
  const fields = Object.entries(body.properties ?? {});
  const spoilt = fields.map(([name, schema]) =>
    wrongWithin(schema).map((value) => ({ ...example, [name]: value })),
  );
  const required = (body.required ?? []).map((name) =>
    fc.constant(Object.fromEntries(Object.entries(example).filter(([other]) => other !== name))),
  );
  const extra = fc
    .tuple(fc.constantFrom('constructor', 'workspaceId', 'x', '', '🎮', "'"), fc.jsonValue({ maxDepth: 1 }))
    .map(([name, value]) => ({ ...example, [name]: value }));
  return fc
    .tuple(plain, fc.oneof(extra, ...spoilt, ...required))
    .map(([one, json]) => ({ ...one, body: { json } }));
}

/** Wrong itself, or wrong in one of its parts. */
function wrongWithin(schema: Schema): fc.Arbitrary<unknown> {
  const here = wrong(schema);
  if (schema.items)
    return fc.oneof(
      here,
      wrongWithin(schema.items).map((value) => [value]),
    );
  const parts = Object.entries(schema.properties ?? {});
  if (parts.length === 0) return here;
  return fc.oneof(
    here,
    ...parts.map(([name, part]) => wrongWithin(part).map((value) => ({ [name]: value }))),
  );
}

const DEEP = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
const RAW_BODIES: ReadonlyArray<string | Buffer> = [
  '{',
  '{"a":1,}',
  "{'a':1}",
  '[]',
  '[{}]',
  '"text"',
  'null',
  '1',
  'true',
  'NaN',
  '{"a":1e400}',
  '{"a":-0}',
  '{"a":9007199254740993}',
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  '{"\\u0000":1}',
  '{"__proto__":{"isAdmin":true}}',
  '{"a":{"constructor":{"prototype":{"isAdmin":true}}}}',
  DEEP,
  `[${'['.repeat(9_999)}${']'.repeat(9_999)}]`,
  `{${Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
  Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x22, 0x61, 0x22, 0x3a, 0x31, 0x7d]),
  Buffer.from([0xc0, 0x80]),
];

function rawBodies(plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  return fc.tuple(plain, fc.constantFrom(...RAW_BODIES)).map(([one, raw]) => ({
    ...one,
    expected: 'refused',
    body: { raw },
  }));
}

function wrongTypes(plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const types = fc.constantFrom(
    'text/plain',
    'application/xml',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'x',
  );
  return fc.tuple(plain, types).map(([one, contentType]) => ({
    ...one,
    expected: 415,
    body: { raw: '{"a":1}' },
    contentType,
  }));
}

function strangers(operation: Operation, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const without = fc.constantFrom(
    'none',
    'mixed',
    'unknown',
    'other mode',
    'in the query',
    'public',
  ) as fc.Arbitrary<Case['keys']>;
  return fc.tuple(plain, without).map(([one, keys]) => ({
    ...one,
    keys,
    expected: keys === 'public' && !operation.needsSecret ? 'fits' : 401,
  }));
}

function wrongMethods(operation: Operation, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => method !== operation.method);
  return fc.tuple(plain, fc.constantFrom(...others)).map(([one, method]) => ({
    ...one,
    method,
    expected: 405,
    body: method === 'GET' ? null : one.body,
  }));
}

const ODD_PATHS: readonly string[] = [
  'x',
  '%20',
  '%27%20or%201=1',
  '%E0%A4%A',
  '%F0%9F%8E%AE',
  '..%2f..%2fetc',
  '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0',
  '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0g',
  '%00',
  'a%00b',
  'urn:uuid:018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f',
  '{018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f}',
  '018f3c5e7b2a7c3d8e4f5a6b7c8d9e0f00',
  '-1',
  'null',
  '__proto__',
  'x'.repeat(300),
  'x'.repeat(900),
  '%23',
  '%25',
];

function wrongPaths(operation: Operation, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const names = operation.params.map(({ name }) => name);
  const [first = '', ...rest] = names;
  return fc
    .tuple(plain, fc.constantFrom(first, ...rest), fc.constantFrom(...ODD_PATHS))
    .map(([one, name, odd]) => ({
      ...one,
      expected: 400,
      path: fillPath(
        { ...operation, path: operation.path.replace(`{${name}}`, odd) },
        names.map(() => 0),
      ),
    }));
}

/** Ids that exist, in another workspace or in the other mode: answered as ids that nobody has. */
function foreignPaths(operation: Operation, plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const example = markExample(operation);
  return fc
    .tuple(plain, fc.constantFrom('other', 'live') as fc.Arbitrary<Case['idsOf']>)
    .map(([one, idsOf]) => ({
      ...one,
      expected: 'as unknown',
      idsOf,
      body: operation.body ? { json: example } : one.body,
    }));
}

function oddHeaders(plain: fc.Arbitrary<Case>): fc.Arbitrary<Case> {
  const names = fc.constantFrom(
    'idempotency-key',
    'accept',
    'accept-language',
    'user-agent',
    'x-file-name',
    'host',
  );
  // A header holds Latin 1 alone; Node lets nothing else be sent.
  const values = fc.constantFrom(
    'x',
    'k'.repeat(255),
    ...WEIRD_TEXTS.filter((text) => /^[\x20-\x7e\xa0-\xff]+$/.test(text)),
  );
  return fc.tuple(plain, names, values).map(([one, name, value]) => ({
    ...one,
    headers: { ...one.headers, [name]: value },
  }));
}
