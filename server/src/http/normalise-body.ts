/** What clients write in more than one way, brought to one before a body is validated. */
import type { TSchema } from 'typebox';
import { namesZone, type PropertySchema, parseIso, toMs } from './query.ts';

/** Changes a value in its place within `holder`; leaves what is wrong for the validator. */
type Mend = (holder: Record<string | number, unknown>, key: string | number) => void;

/**
 * Made once of an operation's schema: moments (`x-time`) may be seconds, and ISO 8601 where a text is allowed; codes
 * marked `x-upper-case` may be written small, and ids in capitals.
 */
export function createBodyNormaliser(schema: TSchema | undefined): (body: unknown) => void {
  // A TypeBox schema is plain JSON schema.
  const mend = toMend((schema ?? {}) as unknown as PropertySchema);
  if (!mend) return () => {};
  return (body) => mend({ body }, 'body');
}

function toMend(schema: PropertySchema): Mend | null {
  if (schema['x-time']) return [schema.type].flat().includes('string') ? mendTimeOrText : mendTime;
  if (schema['x-upper-case']) return mendCase;
  if (schema.format === 'uuid') return mendId;
  if (schema.items) return toListMend(schema.items);
  return schema.properties ? toObjectMend(schema.properties) : null;
}

function mendTime(holder: Record<string | number, unknown>, key: string | number): void {
  const value = holder[key];
  if (typeof value === 'number') holder[key] = toMs(value);
}

function mendTimeOrText(holder: Record<string | number, unknown>, key: string | number): void {
  const value = holder[key];
  // Which moment a time without a zone is, the operation knows.
  if (typeof value === 'string') holder[key] = namesZone(value) ? (parseIso(value) ?? value) : value;
  else mendTime(holder, key);
}

function mendCase(holder: Record<string | number, unknown>, key: string | number): void {
  const value = holder[key];
  if (typeof value === 'string') holder[key] = value.toUpperCase();
}

function mendId(holder: Record<string | number, unknown>, key: string | number): void {
  const value = holder[key];
  if (typeof value === 'string') holder[key] = value.toLowerCase();
}

function toListMend(items: PropertySchema): Mend | null {
  const mend = toMend(items);
  if (!mend) return null;
  return (holder, key) => {
    const list = holder[key];
    if (!Array.isArray(list)) return;
    // An array is written to by its numbers.
    for (let at = 0; at < list.length; at += 1) mend(list as unknown as Record<number, unknown>, at);
  };
}

function toObjectMend(properties: Record<string, PropertySchema>): Mend | null {
  const mends = Object.entries(properties).flatMap(([name, property]) => {
    const mend = toMend(property);
    return mend ? [[name, mend] as const] : [];
  });
  if (mends.length === 0) return null;
  return (holder, key) => {
    const object = holder[key];
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return;
    for (const [name, mend] of mends) {
      // An own key of a parsed object.
      if (name in object) mend(object as Record<string, unknown>, name);
    }
  };
}
