/**
 * Keeps the backups of the embedded store: compresses its archived log, takes a base backup a day, and lets go of those
 * that are old. It sends nothing anywhere, and so is done for a store that is held, too.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BackupConfig } from '../config.ts';
import { forgetOldBases } from '../db/embedded/backups/forget-old.ts';
import { compressLog } from '../db/embedded/backups/log-segments.ts';
import { listBases } from '../db/embedded/backups/manifest.ts';
import { takeBase } from '../db/embedded/backups/take-base.ts';
import type { EmbeddedStore } from '../db/embedded/store.ts';

type Backups = NonNullable<EmbeddedStore['backups']>;

export interface KeepingBackups {
  backups: Backups;
  config: Pick<BackupConfig, 'atMinute' | 'keepDays'>;
  nowMs: () => number;
}

const EVERY_MS = 60_000;
/** One that failed for want of room or rights is not tried every minute. */
const AGAIN_AFTER_MS = 600_000;
const DAY_MS = 24 * 3_600_000;
const MINUTE_MS = 60_000;

/** Begins at once; answers what ends it. */
export function keepBackups(keeping: KeepingBackups, log: Pick<Logger, 'warn'>): () => Promise<void> {
  const ending = new AbortController();
  const rounds = (async () => {
    let failedMs = Number.NEGATIVE_INFINITY;
    while (!ending.signal.aborted) {
      const nowMs = keeping.nowMs();
      try {
        if (nowMs - failedMs >= AGAIN_AFTER_MS) await keepBases(keeping);
        await compressLog(keeping.backups.backups.log);
      } catch (error) {
        failedMs = nowMs;
        log.warn({ err: error }, 'the store could not be backed up');
      }
      await wait(EVERY_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  })();
  return async () => {
    ending.abort();
    await rounds;
  };
}

/** Lets go of old ones, which may be all the room that the next one has, and takes one where the day's is due. */
export async function keepBases({ backups, config, nowMs }: KeepingBackups): Promise<void> {
  await forgetOldBases(backups.backups, { keepDays: config.keepDays, nowMs: nowMs() });
  const last = (await listBases(backups.backups.bases)).at(-1);
  const dueMs = findDue(nowMs(), config.atMinute);
  if (last === undefined || Date.parse(last.manifest.startedAt) < dueMs) await takeBase(backups);
}

/** The last moment, in UTC, at which a day's base was due. */
export function findDue(nowMs: number, atMinute: number): number {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + atMinute * MINUTE_MS;
  return today <= nowMs ? today : today - DAY_MS;
}
