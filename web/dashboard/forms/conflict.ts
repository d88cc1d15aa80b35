/** What became of a form whose object somebody else has changed since it was opened. */
import type { ApiError } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import type { Field } from './types.ts';
import { fieldAmong, readFields, type Values } from './values.ts';

export interface Conflict {
  /** The object as it is now. */
  current: Row;
  /** The `ETag` of it. */
  version: string;
  /** Fields that they have changed, and this form has not. */
  theirs: Field[];
  /** Fields that both have changed, each to something else. */
  both: Field[];
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Null where the refusal is of another kind. `base` is what the form was filled from, `mine` what it wants to send. */
export function readConflict(
  error: ApiError,
  of: { fields: readonly Field[]; base: Row; mine: Values; shape?: (row: Row) => Row },
): Conflict | null {
  if (error.code !== 'edit_conflict') return null;
  const told = error.facts[0]?.current as Row | undefined;
  if (typeof told?.version !== 'number') return null;
  const current = of.shape?.(told) ?? told;
  const [before, now] = [readFields(of.fields, of.base), readFields(of.fields, current)];
  const isMine = ({ name }: Field) => Object.hasOwn(of.mine, name);
  // Typed as percent, it must not become money because they have changed the type.
  const isTurned = (field: Field) => {
    const [meant, becomes] = [before, now].map((values) => fieldAmong(field, { ...values, ...of.mine }));
    return meant?.kind !== becomes?.kind || meant?.currency !== becomes?.currency;
  };
  const changed = of.fields.filter(
    (field) => !isSame(before[field.name], now[field.name]) || (isMine(field) && isTurned(field)),
  );
  return {
    current,
    version: `"${told.version}"`,
    theirs: changed.filter((field) => !isMine(field)),
    both: changed.filter((field) => isMine(field) && !isSame(of.mine[field.name], now[field.name])),
  };
}
