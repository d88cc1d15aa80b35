/**
 * R1 and R2: shapes and lists of words that stand in several places get one name. A name is given to what is found at a
 * place, and every other place that holds the same points to it.
 */
import { type Description, jsonOf, listDescribed, partsOf, refTo, type Schema } from './document.ts';
import { SHARED } from './shared-names.ts';

/** Fields from which on a shape, and words from which on a list, is worth a name. */
const SIZE_MIN = 3;

export function shareShapes(description: Description): void {
  const { schemas } = description.components;
  const names = new Map<string, string>();
  for (const [name, place] of Object.entries(SHARED)) {
    const found = find(description, place);
    if (!found) continue;
    const core = coreOf(found);
    names.set(JSON.stringify(core), name);
    // A copy, since what was found is about to become a reference.
    schemas[name] ??= JSON.parse(JSON.stringify(core)) as Schema;
  }
  for (const schema of Object.values(schemas)) shareWithin(schema, names);
  for (const { one } of listDescribed(description.paths)) {
    for (const parameter of one.parameters ?? [])
      if (!parameter.$ref) parameter.schema = share(parameter.schema, names);
    const answer = jsonOf(one.responses['200'])?.schema;
    if (answer) shareWithin(answer, names);
  }
}

/** What stands where under its own name is no repetition of itself. */
function shareWithin(schema: Schema, names: ReadonlyMap<string, string>): void {
  for (const [name, part] of Object.entries(schema.properties ?? {}))
    if (schema.properties) schema.properties[name] = share(part, names);
  if (schema.items) schema.items = share(schema.items, names);
  if (typeof schema.additionalProperties === 'object')
    schema.additionalProperties = share(schema.additionalProperties, names);
  for (const key of ['anyOf', 'oneOf'] as const)
    schema[key] &&= schema[key].map((part: Schema) => share(part, names));
}

function share(schema: Schema, names: ReadonlyMap<string, string>): Schema {
  const name = isWorthName(schema) ? names.get(JSON.stringify(coreOf(schema))) : undefined;
  if (name === undefined) {
    shareWithin(schema, names);
    return schema;
  }
  const own = Object.fromEntries(OWN.flatMap((key) => (key in schema ? [[key, schema[key]]] : [])));
  return isNullable(schema) ? { anyOf: [refTo(name), { type: 'null' }], ...own } : { ...refTo(name), ...own };
}

/** Of the place and not of the shape. */
const OWN = ['description', 'deprecated', 'x-alias-of', 'x-upper-case', 'default'];

const isNullable = ({ type }: Schema) => Array.isArray(type) && type.includes('null');

export function isWorthName({ properties = {}, enum: words = [] }: Schema): boolean {
  const named = words.filter((word) => word !== null);
  return Object.keys(properties).length >= SIZE_MIN || named.length >= SIZE_MIN;
}

/** The schema without what belongs to its place. */
export function coreOf(schema: Schema): Schema {
  const core = Object.fromEntries(Object.entries(schema).filter(([key]) => !OWN.includes(key))) as Schema;
  if (isNullable(schema)) {
    const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
    core.type = types.length === 1 ? (types[0] ?? '') : types;
  }
  if (core.enum) core.enum = core.enum.filter((word) => word !== null);
  return core;
}

/** `Order.status`, `CreateUserBody.billingDetails`, `Tax.lines[].rates[]`, `listOrders?statuses[]`, `getOrder:order`. */
function find(description: Description, place: string): Schema | undefined {
  const [, start = '', sign, rest = ''] = /^(\w+)([.?:]?)(.*)$/.exec(place) ?? [];
  if (sign === '' || sign === '.') {
    const from = description.components.schemas[start];
    return from && walk(from, sign + rest);
  }
  const one = listDescribed(description.paths).find((named) => named.one.operationId === start)?.one;
  if (sign === ':') {
    const data = jsonOf(one?.responses['200'])?.schema?.properties?.data;
    return data && (rest === '' ? data : walk(data, `.${rest}`));
  }
  const name = rest.replace(/\[\]$/, '');
  const schema = one?.parameters?.find((parameter) => parameter.name === name)?.schema;
  return schema && walk(schema, rest.slice(name.length));
}

function walk(schema: Schema, path: string): Schema | undefined {
  if (path === '') return schema;
  const step = /^(\.[^.[]+|\[\])/.exec(path)?.[0] ?? '';
  const next = partsOf(schema).find(([name]) => name === step)?.[1];
  return next && step !== '' ? walk(next, path.slice(step.length)) : undefined;
}
