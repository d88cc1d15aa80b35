/** What is done for due work: rows in, and an end for each of them. */
import type { Context } from '../context.ts';
import type { JobKind } from '../domain/due-work.ts';
import type { ClaimedWork } from '../resources/due-work/due-work.sql.ts';

/** Told of each row that its work has ended, and of an error if there was one. */
export type Ended = (work: ClaimedWork, error?: unknown) => void;

/** What the context of each row is made of, with the row's `nowMs`. */
export type JobService = Omit<Context, 'nowMs'>;

export interface Job {
  /** Which rows it is given at once: one, those of a store that are due together, or those of a few lanes. */
  by: 'row' | 'store' | 'lane';
  /**
   * Does the work of the rows, each at its own moment; each ends or postpones its row itself, in the transaction of
   * the effect. A row whose end it does not tell has failed, as all have where it throws.
   */
  run(service: JobService, works: ClaimedWork[], ended: Ended): Promise<void>;
}

/** Jobs by kind. Kinds that are not named are another version's, and left to it. */
export type Jobs = Partial<Record<JobKind, Job>>;

/** A job of one row: a batch of one. */
export function byRow(verb: (ctx: Context, work: ClaimedWork) => Promise<unknown>): Job {
  return {
    by: 'row',
    async run(service, works, ended) {
      for (const work of works) {
        await verb({ ...service, nowMs: work.nowMs }, work);
        ended(work);
      }
    },
  };
}

export function byStore(run: Job['run']): Job {
  return { by: 'store', run };
}

/** The kinds whose rows are given in one of these ways. */
export function kindsBy(jobs: Jobs, ...ways: Array<Job['by']>): string[] {
  return Object.entries(jobs).flatMap(([kind, job]) => (ways.includes(job.by) ? [kind] : []));
}

/** What is done for a row. */
export function jobOf(jobs: Jobs, work: ClaimedWork | undefined): Job | undefined {
  return work && jobs[work.kind];
}
