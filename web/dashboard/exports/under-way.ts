import { type Row, textOf } from '../api/objects.ts';

/** How often one is asked for that is being written. */
export const WATCH_MS = 1_000;

const UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'running']);

export const isUnderWay = (row: Row): boolean => UNDER_WAY.has(textOf(row, 'status'));
