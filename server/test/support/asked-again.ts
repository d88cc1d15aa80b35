/** Statements that the service sends, to be asked once more with a look at how much they read. */
import pg from 'pg';
import { countRead } from './plan-rows.ts';

interface Asked {
  text: string;
  values: unknown[];
}

export interface AskedAgain {
  /** Rows that the scans of the last one of these read, now. */
  countRead(pool: Pick<pg.Pool, 'connect'>): Promise<number>;
}

/** Of every connection of this process, from now on. What is asked again changes nothing. */
export function noteAsked(isOne: (text: string) => boolean): AskedAgain {
  let last: Asked | undefined;
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | Asked];
    if (typeof asked === 'object' && isOne(asked.text)) last = asked;
    return query.apply(this, given);
  } as unknown as typeof pg.Client.prototype.query;
  return {
    async countRead(pool) {
      if (last === undefined) throw new Error('nothing of the kind was asked');
      const { text, values } = last;
      const client = await pool.connect();
      await client.query('begin');
      const { rows } = await client.query({ text: `explain (analyze, format json) ${text}`, values });
      await client.query('rollback');
      client.release();
      return countRead(rows[0]['QUERY PLAN'][0].Plan);
    },
  };
}
