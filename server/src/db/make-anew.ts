/**
 * A schema for an installation that is to be filled as a whole: made anew up to a migration, and marked until it is
 * full, so that what a killed process has left of it is known as that.
 */
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Tx } from './database.ts';
import { createClient } from './hosts/hosts-client.ts';
import { CREATE_RECORD, migrate } from './migrate.ts';

const MARK = 'filled by a restore that has not ended';
const SET_MARK = `comment on table schema_migrations is '${MARK}'`;

type Connection = pg.ClientConfig;

export async function makeAnew(
  connection: Connection,
  { until, folder }: { until: string; folder?: string },
): Promise<void> {
  await dropSchema(connection);
  // Marked before anything else is there: killed on the way, it is known as what it is.
  await withClient(connection, (client) => client.query(`begin; ${CREATE_RECORD}; ${SET_MARK}; commit`));
  await migrate(connection, { until, ...(folder === undefined ? {} : { folder }) });
}

export async function markMaking(connection: Connection): Promise<void> {
  await withClient(connection, (client) => client.query(SET_MARK));
}

/** Nothing of ours is left. */
export async function dropSchema(connection: Connection): Promise<void> {
  await withClient(connection, async (client) => {
    if (await hasSchema(client)) await client.query(DROP_ALL);
  });
}

/** It is full: it is an installation from here on. */
export async function endMaking(connection: Connection): Promise<void> {
  await withClient(connection, (client) => client.query('comment on table schema_migrations is null'));
}

/** The same as part of a transaction, with whose commit it is one. */
export async function endMakingIn(tx: Tx): Promise<void> {
  await sql`comment on table schema_migrations is null`.execute(tx);
}

/** Whether half of an installation is there. */
export async function isMaking(db: Db): Promise<boolean> {
  const { rows } = await sql<{ mark: string | null }>`
    select obj_description(to_regclass('public.schema_migrations'), 'pg_class') as mark`.execute(db);
  return rows[0]?.mark === MARK;
}

/** Null = there is no schema at all. */
export async function findMaking(connection: Connection): Promise<{ isMarked: boolean } | null> {
  return withClient(connection, async (client) => {
    if (!(await hasSchema(client))) return null;
    const { rows } = await client.query<{ mark: string | null }>(
      `select obj_description('schema_migrations'::regclass) as mark`,
    );
    return { isMarked: rows[0]?.mark === MARK };
  });
}

async function hasSchema(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('public.schema_migrations') is not null as found`,
  );
  return rows[0]?.found === true;
}

async function withClient<T>(connection: Connection, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = createClient({ ...connection, application_name: 'counterfoil restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What is ours: the schema belongs to one installation. What an extension has made stays. */
const DROP_ALL = `
do $$
declare one record;
begin
  for one in
    select format('drop table %s cascade', c.oid::regclass) as command from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  loop execute one.command; end loop;
  for one in
    select format('drop function %s cascade', p.oid::regprocedure) as command from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  loop execute one.command; end loop;
  for one in
    select format('drop domain %s cascade', t.oid::regtype) as command from pg_type t
    where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = t.oid and d.deptype = 'e')
  loop execute one.command; end loop;
end $$`;
