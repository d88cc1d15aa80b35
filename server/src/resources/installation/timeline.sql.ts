/** Where in its history the server is, as a value of any query; null = it is a standby. */
import { sql } from 'kysely';
import { TIMELINE as TEXT } from '../../db/timeline.ts';

export const TIMELINE = sql<number | null>`${sql.raw(TEXT)}`;
