import { type Row, textOf } from '../api/objects.ts';

/** How often an import is asked for that somebody is at work on. */
export const WATCH_MS = 1_000;

const UNDER_WAY: ReadonlySet<string> = new Set(['planning', 'committing']);

export const isUnderWay = (imported: Row | null): boolean => UNDER_WAY.has(textOf(imported, 'status'));
