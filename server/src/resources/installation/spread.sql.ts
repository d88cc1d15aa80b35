/** Pieces of SQL about the tables of a store that is spread. */
import { sql } from 'kysely';

/** Ours alone: what an extension brought is its own. */
export const OURS = sql`c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;
