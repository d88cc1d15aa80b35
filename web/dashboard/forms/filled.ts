/** What the fields of a form begin with, and what of them is sent. */
import type { Row } from '../api/objects.ts';
import type { Field } from './types.ts';
import { fieldAmong, type InputTools, readFields, toInput, toSent, type Values } from './values.ts';

interface Start {
  inputs: Values;
  /** What would be sent if nothing were changed. */
  before: Values;
}

export function toStart(fields: readonly Field[], current: Row | undefined, tools: InputTools): Start {
  const given = current
    ? readFields(fields, current)
    : Object.fromEntries(fields.map(({ name, initial }) => [name, initial]));
  const inputs: Values = {};
  const before: Values = {};
  for (const declared of fields) {
    const field = fieldAmong(declared, given);
    inputs[field.name] = toInput(field, given[field.name], tools);
    before[field.name] = toSent(field, inputs[field.name], tools);
  }
  return { inputs, before };
}

/** The fields that the values of the others ask for, as these make them. */
export const listAsked = (fields: readonly Field[], values: Values): Field[] =>
  fields.filter(({ when }) => when?.(values) ?? true).map((field) => fieldAmong(field, values));

/**
 * What is sent: of an edit (`before`) what differs. Told apart by what is sent, not by what is typed: "10" may have
 * been percent, and be money now.
 */
export function collect(
  fields: readonly Field[],
  values: Values,
  { before, ...tools }: InputTools & { before: Values | null },
): Values {
  const asked = listAsked(fields, values);
  const filled: Values = {};
  for (const field of asked) {
    const sent = toSent(field, values[field.name], tools);
    if (before && JSON.stringify(before[field.name]) === JSON.stringify(sent)) continue;
    if (sent === undefined && before) filled[field.name] = null;
    else if (sent !== undefined && !(Array.isArray(sent) && sent.length === 0 && !before))
      filled[field.name] = sent;
  }
  return before ? { ...filled, ...collectEnded(fields, asked, before) } : filled;
}

/** What an edit empties, since what was chosen beside it no longer asks for it. */
function collectEnded(fields: readonly Field[], asked: readonly Field[], before: Values): Values {
  const names = new Set(asked.map(({ name }) => name));
  const ended: Values = {};
  for (const { name, endsUnasked } of fields) {
    const had = before[name];
    if (!endsUnasked || names.has(name) || had === undefined) continue;
    if (!Array.isArray(had)) ended[name] = null;
    else if (had.length > 0) ended[name] = [];
  }
  return ended;
}
