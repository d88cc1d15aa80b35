/**
 * Writes the file of an export, a stretch at a time. After each stretch the job gives its slot back; a process that is
 * killed leaves what was noted last, from where another goes on.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Row } from '../../domain/exports/cells.ts';
import { removeBytes, toPath } from '../../providers/files/disk.ts';
import { type GrowingFile, isOutOfRoom, openGrowingFile } from '../../providers/files/growing-file.ts';
import { finishDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  type Ending,
  type ExportRow,
  endExport,
  findExport,
  noteProgress,
} from '../../resources/exports/exports.queries.ts';
import type { ExportedResource } from '../../resources/exports/exports.schema.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { chooseStore } from './choose-store.ts';
import type { ExportedList, ExportedLists } from './exported-list.ts';
import { createFormatter, type Formatter } from './format-rows.ts';
import { writeWhole } from './write-whole.ts';

export interface ExportLimits {
  /** A stretch: well within the lease of its row, and within the time that a process has to stop. */
  stretchMs: number;
  noteEveryMs: number;
  /** Rows of one read: few enough that a request waits for no more than some milliseconds. */
  pageRows: number;
  bytesMax: number;
  /** What fails so often will not come to an end by itself. */
  failuresMax: number;
}

export const EXPORT_LIMITS: ExportLimits = {
  stretchMs: 4_000,
  noteEveryMs: 1_000,
  pageRows: 250,
  bytesMax: 2 * 1024 ** 3,
  failuresMax: 5,
};
/** Rows that are written without a look at who else waits. */
const ROWS_AT_ONCE = 50;

class TooLarge extends Error {}

interface Writing {
  work: ClaimedWork;
  row: ExportRow;
  list: ExportedList;
  file: GrowingFile;
  limits: ExportLimits;
}

/** Reference of the work: the export. */
export function createExporter(lists: ExportedLists, limits: ExportLimits = EXPORT_LIMITS) {
  return async function writeExport(ctx: Context, work: ClaimedWork): Promise<void> {
    const row = await findExport(ctx.db, work.scope, work.refId);
    if (!row || row.outcome !== null) {
      await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
      return;
    }
    try {
      if (row.kind !== 'list') await writeAtOnce(ctx, { work, row, lists });
      // Only resources of the list get into the store.
      else await writeOn(ctx, { work, row, limits, list: lists(row.resource as ExportedResource) });
    } catch (error) {
      const reason = toReason(error, work.failures + 1 >= limits.failuresMax);
      if (reason === null) throw error;
      ctx.log.warn({ err: error, exportId: row.id, reason }, 'an export was given up');
      await end(ctx, work, { id: row.id, outcome: 'failed', reason, endedAt: ctx.nowMs });
      await removeBytes(toPath(ctx.config.dataDir, row));
    }
  };
}

/** Null = it is worth another try. */
function toReason(error: unknown, isLastTry: boolean): string | null {
  if (error instanceof TooLarge) return 'too_large';
  if (isOutOfRoom(error)) return 'no_room';
  if (error instanceof Refusal && error.status < 500) return error.code;
  return isLastTry ? 'failed' : null;
}

async function writeOn(ctx: Context, { work, row, list, limits }: Omit<Writing, 'file'>): Promise<void> {
  const place = toPath(ctx.config.dataDir, row);
  const file = await openGrowingFile(place, row.bytes);
  let written: Written;
  try {
    written = await writeStretch(ctx, { work, row, list, file, limits });
    await file.flush();
  } finally {
    await file.close();
  }
  const { outcome, ...progress } = written;
  if (outcome === 'end') {
    const ending = { ...progress, rowsExpected: progress.rows, outcome: 'done' as const, endedAt: ctx.nowMs };
    await end(ctx, work, { id: row.id, ...ending });
  } else if (outcome === 'more' && (await noteProgress(ctx.db, work, progress))) {
    await postponeDueWork(ctx.db, work, { dueMs: work.nowMs });
  } else if (!(await findExport(ctx.db, work.scope, row.id))?.outcome) {
    // Another has taken it over, or it was let go: the sweep takes what is left.
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
  } else {
    await removeBytes(place);
  }
}

async function writeAtOnce(ctx: Context, writing: Parameters<typeof writeWhole>[1]): Promise<void> {
  const { work, row } = writing;
  const written = await writeWhole(ctx, writing);
  if (written) {
    const { rows, bytes } = written;
    const ending = { rows, rowsExpected: rows, bytes, cursor: null };
    await end(ctx, work, { id: row.id, ...ending, outcome: 'done', endedAt: ctx.nowMs });
  } else await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
}

/** Its row ends with it, or somebody else has it in hand. */
async function end(ctx: Context, work: ClaimedWork, ending: Ending): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (await finishDueWork(tx, work)) await endExport(tx, work.scope, ending);
  });
}

interface Written {
  outcome: 'end' | 'more' | 'unwanted';
  rows: number;
  rowsExpected: number | null;
  bytes: number;
  cursor: string | null;
}

async function writeStretch(ctx: Context, writing: Writing): Promise<Written> {
  const { work, row, list, file, limits } = writing;
  const { scope } = work;
  const isNew = file.bytes === 0;
  const { currency } = await getStore(ctx.db, scope);
  const formatter = createFormatter(row, list.columns, currency);
  const at = {
    rows: isNew ? 0 : row.rows,
    rowsExpected:
      row.rowsExpected ?? (row.ids.length > 0 ? row.ids.length : await list.count(ctx, scope, row)),
    cursor: isNew ? null : row.cursor,
  };
  if (isNew) await file.append(formatter.head);
  const chooser = createChooser(row.ids, list.idsMax);
  const asked = { query: row.query, ids: chooser.asked, take: limits.pageRows, withPayUrls: row.withPayUrls };
  const from = await chooseStore(ctx, work, row);
  const read = (cursor: string | null) => list.read(from, scope, { ...asked, cursor });
  const told = (outcome: Written['outcome']): Written => ({ outcome, ...at, bytes: file.bytes });
  const untilMs = performance.now() + limits.stretchMs;
  let notedMs = performance.now();
  for (let reading = read(at.cursor); ; ) {
    const page = await reading;
    const isLast = page.cursor === null;
    const isOver = performance.now() >= untilMs;
    // The store reads the next page while this one is written.
    if (!isLast && !isOver) reading = quietly(read(page.cursor));
    const rows = chooser.choose(page.rows);
    await append(file, formatter, rows);
    if (file.bytes > limits.bytesMax) throw new TooLarge();
    at.rows += rows.length;
    at.cursor = page.cursor;
    if (isLast || chooser.isDone()) return told('end');
    if (isOver) return told('more');
    if (performance.now() - notedMs < limits.noteEveryMs) continue;
    await file.flush();
    if (!(await noteProgress(ctx.db, work, { ...at, bytes: file.bytes }))) return told('unwanted');
    notedMs = performance.now();
  }
}

/** A page that is not waited for, since what came before it failed, must not end the process when it fails, too. */
function quietly<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}

async function append(file: GrowingFile, formatter: Formatter, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await file.append(formatter.format(rows.slice(from, from + ROWS_AT_ONCE)));
    await letOthersRun();
  }
}

/** Rows by their ids: asked of the list where it can be, else picked out of what it answers. */
function createChooser(ids: readonly string[], idsMax: number) {
  if (ids.length === 0 || ids.length <= idsMax) {
    return {
      asked: ids.length === 0 ? null : ids,
      choose: (rows: Row[]) => rows,
      isDone: () => false,
    };
  }
  const wanted = new Set(ids);
  const left = new Set(ids);
  return {
    asked: null,
    choose(rows: Row[]) {
      const chosen = rows.filter(({ id }) => wanted.has(String(id)));
      for (const { id } of chosen) left.delete(String(id));
      return chosen;
    },
    isDone: () => left.size === 0,
  };
}
