/** A database and a folder of its own for one course, gone behind it. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';

export const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres';

export interface OwnStore {
  databaseUrl: string;
  dataDir: string;
  /** A line with the seconds since its beginning. */
  log: (line: string) => void;
}

export async function inOwnStore<T>(work: (store: OwnStore) => Promise<T>): Promise<T> {
  const adminUrl = process.env.DATABASE_URL ?? DEFAULT_URL;
  const database = `counterfoil_endurance_${process.pid}`;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${database}`);
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-endurance-'));
  const startedMs = performance.now();
  const log = (line: string) =>
    console.log(`  ${((performance.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  try {
    return await work({ databaseUrl: url.href, dataDir, log });
  } finally {
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
