/** What one operation takes and answers, as Markdown. */
import {
  type Described,
  type Description,
  dataOf,
  jsonOf,
  type NamedOperation,
  nameOf,
  resolve,
  type Schema,
  textOfAnswer,
} from '../description/document.ts';

/** Without the refusals that are told elsewhere. */
export function toOperationPage(
  description: Description,
  { path, method, one }: NamedOperation,
  told: ReadonlySet<string> = new Set(),
): string {
  const call = toSdkCall(one);
  const body = jsonOf(one.requestBody)?.schema;
  const data = dataOf(description, one);
  const parameters = (one.parameters ?? []).filter(({ $ref }) => $ref === undefined);
  const parts = [
    `## ${one.operationId}`,
    one.summary.endsWith('.') ? one.summary : `${one.summary}.`,
    `\`${method.toUpperCase()} ${path}\`${call}`,
    ...(one.description ? [one.description] : []),
    ...toFields(
      'Parameters',
      parameters.map((p) => ({
        name: p.name,
        schema: { ...p.schema, description: p.description ?? p.schema.description ?? '' },
        isRequired: p.required ?? false,
      })),
    ),
    ...toFields('Body', body ? fieldsOf(resolve(description, body)) : []),
    ...toFields('Answer', data ? fieldsOf(data) : []),
    ...toRefusals(listRefusals(description, one).filter((code) => !told.has(code))),
  ];
  return `${parts.join('\n\n')}\n`;
}

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Aliases stand for others, and are left out. */
function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties)
    .filter(([, { deprecated }]) => !deprecated)
    .map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}

function toFields(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return [];
  const lines = fields.map(({ name, schema, isRequired }) => {
    const told = schema.description ?? schema.items?.description ?? '';
    const must = isRequired && title !== 'Answer' ? ', required' : '';
    return `- \`${name}\` (${toType(schema)}${must})${told === '' ? '' : `: ${told}`}`;
  });
  return [`${title}:`, lines.join('\n')];
}

function toType(schema: Schema): string {
  const named = nameOf(schema);
  if (named !== null) return named;
  const { type, items, anyOf, enum: words } = schema;
  if (words) return words.length > 12 ? 'word' : words.map((word) => JSON.stringify(word)).join(' or ');
  if (anyOf) return anyOf.map(toType).join(' or ');
  if (items) return `list of ${toType(items)}`;
  return [type ?? 'anything'].flat().join(' or ');
}

function toSdkCall({ 'x-sdk': name }: Described): string {
  if (!name) return '';
  return ` · SDK: \`shop.${name.resource === '' ? '' : `${name.resource}.`}${name.method}\``;
}

const toRefusals = (codes: readonly string[]): string[] =>
  codes.length === 0 ? [] : [`Refuses with: ${codes.join(', ')}.`];

/** Each code with its status. */
export const listRefusals = (description: Description, { responses }: Described): string[] =>
  Object.entries(responses)
    .filter(([status]) => status >= '400')
    .flatMap(([status, answer]) =>
      (textOfAnswer(description, answer).match(/`\w+`/g) ?? []).map((code) => `${code} (${status})`),
    );
