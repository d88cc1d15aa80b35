/** A freshly migrated store, to read the catalogue of. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openEmbeddedStore } from '../server/src/db/embedded/store.ts';
import { migrate } from '../server/src/db/migrate.ts';

/** Runs `work` on a database that is made for it and removed after it: at DATABASE_URL, or embedded. */
export async function withMigratedStore<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const adminUrl = process.env.DATABASE_URL;
  if (adminUrl) return withDatabase(adminUrl, work);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-check-'));
  try {
    const store = await openEmbeddedStore({ dataDir, log: () => {}, durable: false });
    try {
      return await migrateAndRun(store.url, work);
    } finally {
      await store.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function withDatabase<T>(adminUrl: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const name = `counterfoil_check_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    await admin.query(`create database ${name}`);
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    return await migrateAndRun(url.href, work);
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

async function migrateAndRun<T>(url: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  await migrate({ connectionString: url });
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  // The pool's end does not wait for its connections', so the store's may overtake them.
  pool.on('error', () => {});
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
