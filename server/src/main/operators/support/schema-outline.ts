/** What the store is made of, by its own catalogue: names and shapes, and no row. */
import { sql } from 'kysely';
import type { Db } from '../../../db/database.ts';

export interface SchemaOutline {
  migrations: string[];
  tables: Array<{ table: string; rows: number; columns: string[] }>;
  indexes: Array<{ definition: string; isValid: boolean; bytes: number }>;
}

export async function readSchemaOutline(db: Db): Promise<SchemaOutline> {
  const { rows: migrations } = await sql<{ name: string }>`
    select name from schema_migrations order by name`.execute(db);
  const { rows: tables } = await sql<SchemaOutline['tables'][number]>`
    select c.relname as "table", greatest(c.reltuples, 0)::float8 as rows,
      array(select format('%s %s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end)
        from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum) as columns
    from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    order by 1`.execute(db);
  const { rows: indexes } = await sql<SchemaOutline['indexes'][number]>`
    select pg_get_indexdef(i.indexrelid) as definition, i.indisvalid as is_valid,
      pg_relation_size(i.indexrelid)::float8 as bytes
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace order by 1`.execute(db);
  return { migrations: migrations.map(({ name }) => name), tables, indexes };
}
