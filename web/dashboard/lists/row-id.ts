import type { Row } from '../api/objects.ts';
import type { ListDeclaration } from './types.ts';

/** What a row of a list is known by. */
export const idOf = (declaration: ListDeclaration, row: Row): string =>
  declaration.idOf?.(row) ?? String(row.id);
