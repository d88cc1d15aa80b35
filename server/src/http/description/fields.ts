/** R6: each field and parameter has a sentence: its schema's own, else that of its name. */
import { type Description, jsonOf, listDescribed, partsOf, type Schema } from './document.ts';
import { SENTENCES, SENTENCES_OF_NUMBERS, SENTENCES_OF_SHAPES } from './sentences.ts';

export function describeFields({ paths, components }: Description): void {
  for (const schema of Object.values(components.schemas)) describeWithin(schema);
  for (const { one } of listDescribed(paths)) {
    for (const parameter of one.parameters ?? []) {
      const { $ref, name, schema } = parameter;
      const sentence = $ref === undefined ? sentenceOf(name, schema) : undefined;
      if (sentence !== undefined && !parameter.description && !isDescribed(schema))
        parameter.description = sentence;
    }
    const data = jsonOf(one.responses['200'])?.schema?.properties?.data;
    if (data) describeWithin(data);
  }
}

function describeWithin(schema: Schema): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const sentence = sentenceOf(name, field, schema);
    if (sentence !== undefined && !isDescribed(field)) field.description = sentence;
  }
  for (const [, part] of partsOf(schema)) describeWithin(part);
}

const HAS_UNIT = /minor units|Unix ms|\(ms\)|[Ii]n bytes|^In %/;
/** Numbers that count, and have no unit. */
const COUNTS: ReadonlySet<string> = new Set([
  'quantity',
  'totalItems',
  'skip',
  'expYear',
  'recurringIntervalCount',
  'trialIntervalCount',
  'currencyDecimals',
  'limit',
  'maxPerOrder',
  'downloadLimit',
  'purchaseLimit',
  'limitPerUser',
  'durationIntervals',
  'timesUsed',
  'webhookDisableHours',
  'added',
  'removed',
]);

/** One name may be a number here and a text there: each has its sentence, or none. */
function sentenceOf(name: string, field: Schema, owner?: Schema): string | undefined {
  // That of a request is where it came from.
  if (name === 'address' && !owner?.properties?.city) return undefined;
  const sentence = SENTENCES[name];
  const types = [field.type ?? []].flat();
  const isNumber = types.includes('integer') || types.includes('number');
  const wantsNumber = COUNTS.has(name) || (sentence !== undefined && HAS_UNIT.test(sentence));
  if (isNumber === wantsNumber && sentence !== undefined) return sentence;
  return (isNumber ? SENTENCES_OF_NUMBERS : SENTENCES_OF_SHAPES)[name];
}

/** By itself, or by what it is a list of. */
export const isDescribed = ({ description, items }: Schema): boolean =>
  description !== undefined || items?.description !== undefined;
