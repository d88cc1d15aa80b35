/** The description without references in what is sent, for those who make requests of it. */
import { type Description, resolve, type Schema } from '../../src/http/description/document.ts';

/** References within are followed; what stands beside one holds of it. */
export function inlineSchema(description: Description, schema: Schema): Schema {
  const { $ref, ...own } = schema;
  const plain: Schema = $ref === undefined ? { ...schema } : { ...resolve(description, { $ref }), ...own };
  const inline = (part: Schema) => inlineSchema(description, part);
  const [first, second] = plain.anyOf ?? [];
  // What may be null is one type, as it is checked.
  if (first && plain.anyOf?.length === 2 && second?.type === 'null') {
    const { anyOf: _both, ...rest } = plain;
    const one = inline(first);
    const words = one.enum ? { enum: [...one.enum, null] } : {};
    return { ...one, ...rest, ...words, type: [one.type ?? [], 'null'].flat() };
  }
  if (plain.properties)
    plain.properties = Object.fromEntries(
      Object.entries(plain.properties).map(([name, part]) => [name, inline(part)]),
    );
  if (plain.items) plain.items = inline(plain.items);
  if (typeof plain.additionalProperties === 'object')
    plain.additionalProperties = inline(plain.additionalProperties);
  if (plain.anyOf) plain.anyOf = plain.anyOf.map(inline);
  return plain;
}
