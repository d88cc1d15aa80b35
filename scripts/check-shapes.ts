/** R1 to R9 and R11: what clients are generated from has names, sentences, bounds and no second spelling. */

import { toBodyName } from '../server/src/http/description/bodies.ts';
import { toEventName } from '../server/src/http/description/events.ts';
import { isDescribed } from '../server/src/http/description/fields.ts';
import { coreOf, isWorthName } from '../server/src/http/description/shared-shapes.ts';
import { EVENT_TYPES } from '../server/src/resources/events/event-types.ts';
import {
  type Described,
  type Description,
  jsonOf,
  listDescribed,
  nameOf,
  type Parameter,
  partsOf,
  type Schema,
  textOfAnswer,
} from './described.ts';

/** Of all operations on average, minified; examples lie in a file of their own. */
const OPERATION_BYTES_MAX = 4096;
/** Names that would hide JavaScript's own. */
const SHADOWING = ['Error', 'File', 'Event'];

export function checkShapes(description: Description): string[] {
  return [
    ...findNameless(description),
    ...findRepeated(description),
    ...findLarge(description),
    ...findUndescribed(description),
    ...checkEvents(description),
    ...checkCodes(description),
    ...listDescribed(description.paths).flatMap(({ method, one }) => [
      ...checkHeaders(description, { method, one }),
      ...checkAliases(description, one),
      ...checkRequired(description, one),
      ...checkTake(one),
    ]),
    ...SHADOWING.filter((name) => name in description.components.schemas).map(
      (name) => `R9: the component ${name} hides JavaScript's own`,
    ),
  ];
}

function findNameless({ paths }: Description): string[] {
  return listDescribed(paths).flatMap(({ one }) => {
    const schema = jsonOf(one.requestBody)?.schema;
    const name = toBodyName(one.operationId);
    return !schema || nameOf(schema) === name ? [] : [`R1: the body of ${one.operationId} is not ${name}`];
  });
}

/** Shapes and lists of words in two places; a component's own are one of them. */
function findRepeated(description: Description): string[] {
  const places = new Map<string, string[]>();
  const note = (schema: Schema, place: string) => {
    if (!schema.$ref && isWorthName(schema)) {
      const key = JSON.stringify(coreOf(schema));
      places.set(key, [...(places.get(key) ?? []), place]);
    }
    for (const [step, part] of partsOf(schema)) note(part, `${place}${step}`);
  };
  for (const [name, schema] of Object.entries(description.components.schemas)) {
    // A body is its operation's own, even where another's holds the same.
    if (!name.endsWith('Body')) note(schema, name);
    else for (const [step, part] of partsOf(schema)) note(part, `${name}${step}`);
  }
  for (const { one } of listDescribed(description.paths)) {
    for (const { name, schema } of (one.parameters ?? []).filter((parameter) => !parameter.$ref))
      note(schema, `${one.operationId}?${name}`);
    const data = jsonOf(one.responses['200'])?.schema?.properties?.data;
    if (data) note(data, `${one.operationId}:`);
  }
  return [...places.values()]
    .filter((found) => found.length > 1)
    .map((found) => `R1: ${found.slice(0, 3).join(', ')} hold the same: name it in shared-names.ts`);
}

function findLarge(description: Description): string[] {
  const operations = listDescribed(description.paths).length;
  const bytes = Math.ceil(Buffer.byteLength(JSON.stringify(description)) / operations);
  return bytes <= OPERATION_BYTES_MAX
    ? []
    : [`R2: an operation takes ${bytes} bytes, more than ${OPERATION_BYTES_MAX}`];
}

function checkEvents({ webhooks = {}, components: { schemas } }: Description): string[] {
  const told = new Set((schemas.WebhookEvent?.anyOf ?? []).map(nameOf));
  const missing = EVENT_TYPES.filter((type) => {
    const data = schemas[nameOf(schemas[toEventName(type)]?.properties?.data ?? {}) ?? ''];
    return !webhooks[type] || !told.has(toEventName(type)) || !data?.properties?.order;
  });
  const problems = missing.map((type) => `R3: ${type} is not described whole, in the union and as webhook`);
  if (!schemas.ExpiredEvent || told.has('ExpiredEvent'))
    problems.push('R3: ExpiredEvent stands beside the union of events, not within');
  return problems;
}

function checkCodes({ components: { schemas } }: Description): string[] {
  const code = schemas.ErrorBody?.properties?.error?.properties?.code ?? {};
  return nameOf(code) === 'ErrorCode' ? [] : ['R4: the code of a refusal is no word of the catalogue'];
}

function checkHeaders(
  description: Description,
  { method, one }: { method: string; one: Described },
): string[] {
  const refusals = Object.entries(one.responses).filter(([status]) => status >= '400');
  const isKept = refusals.some(([, answer]) =>
    textOfAnswer(description, answer).includes('`idempotency_key_reused`'),
  );
  const takesKey = (one.parameters ?? []).some((parameter) => nameOf(parameter) === 'IdempotencyKey');
  const headers = one.responses['200']?.headers ?? {};
  const problems: string[] = [];
  if (method !== 'get' && isKept && !(takesKey && 'idempotent-replayed' in headers))
    problems.push(`R5: ${one.operationId} does not declare its Idempotency-Key`);
  if (!('x-request-id' in headers)) problems.push(`R5: ${one.operationId} declares no headers of its answer`);
  for (const [status, answer] of refusals)
    if (!nameOf(answer)?.startsWith('Refusal'))
      problems.push(`R5: ${one.operationId} ${status} declares no headers`);
  return problems;
}

function checkAliases({ components }: Description, one: Described): string[] {
  const name = nameOf(jsonOf(one.requestBody)?.schema ?? {});
  const body = name === null ? undefined : components.schemas[name];
  const query = Object.fromEntries((one.parameters ?? []).map((parameter) => [parameter.name, parameter]));
  const groups: Array<Record<string, Schema | Parameter>> = [query, body?.properties ?? {}];
  return groups.flatMap((fields) =>
    Object.entries(fields).flatMap(([field, { deprecated, 'x-alias-of': of, description }]) => {
      if (of === undefined)
        return /^the same as `/i.test(description ?? '')
          ? [`R7: ${one.operationId} ${field} is an alias and does not say so`]
          : [];
      const isKnown = of in fields || of in query;
      return deprecated && isKnown ? [] : [`R7: ${one.operationId} ${field} is an alias of nothing`];
    }),
  );
}

function checkRequired({ components }: Description, one: Described): string[] {
  const name = nameOf(jsonOf(one.requestBody)?.schema ?? {});
  if (!one.requestBody || name === null) return [];
  const needs = (components.schemas[name]?.required ?? []).length > 0;
  return one.requestBody.required === needs
    ? []
    : [`R8: whether ${one.operationId} needs a body is said wrong`];
}

function checkTake({ operationId, parameters = [] }: Described): string[] {
  const take = parameters.find((parameter) => parameter.name === 'take' && parameter.in === 'query');
  if (!take) return [];
  const { maximum, default: usual } = take.schema;
  return typeof usual === 'number' && typeof maximum === 'number' && maximum <= 1000
    ? []
    : [`R11: take of ${operationId} says no default and maximum`];
}

/** R6: fields and parameters without a sentence. */
function findUndescribed({ paths, components }: Description): string[] {
  const within = (schema: Schema, place: string): string[] => [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      isDescribed(field) ? [] : [`${place}.${name}`],
    ),
    ...partsOf(schema).flatMap(([step, part]) => within(part, `${place}${step}`)),
  ];
  const bare = [
    ...Object.entries(components.schemas).flatMap(([name, schema]) => within(schema, name)),
    ...listDescribed(paths).flatMap(({ one }) => {
      const data = jsonOf(one.responses['200'])?.schema?.properties?.data;
      const own = (one.parameters ?? []).filter(({ $ref }) => $ref === undefined);
      return [
        ...own
          .filter(({ description, schema }) => !description && !isDescribed(schema))
          .map(({ name }) => `${one.operationId}?${name}`),
        ...(data ? within(data, `${one.operationId}:`) : []),
      ];
    }),
  ];
  return bare.map((place) => `R6: ${place} has no sentence`);
}
