/** Stores of releases before this one (`upgrade-fixtures`), with today's code on them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import pg from 'pg';
import pino from 'pino';
import { expect } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { createEmptyDatabase, STORE_FORM, type TestDatabase } from './database.ts';
import { makeFolder } from './restoring.ts';

const FIXTURES = fileURLToPath(new URL('../../../upgrade-fixtures/', import.meta.url));
const BYTES_MAX = 5 * 1024 ** 2;
export interface Pair {
  publicKey: string;
  secretKey: string;
}

export interface Fixture {
  about: { version: string; migration: string; secretsKey: string; keys: { test: Pair; live: Pair } };
  sql: string;
  files: Array<[string, Buffer]>;
}

export interface Upgraded {
  database: TestDatabase;
  wired: Wired;
  /** Migrations that the store was without. */
  ran: number;
}

export async function readFixture(name: string): Promise<Fixture> {
  const packed = await readFile(path.join(FIXTURES, name));
  expect(packed.length).toBeLessThanOrEqual(BYTES_MAX);
  const entries = await unpackTar(gunzipSync(packed));
  const parts = new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
  return {
    about: JSON.parse(String(parts.get('fixture.json'))),
    sql: String(parts.get('store.sql')),
    files: [...parts].filter(([part]) => part.includes('/')),
  };
}

/** The store as the release left it, with today's code on it as a start would put it there. */
export async function upgrade({ about, sql, files }: Fixture): Promise<Upgraded> {
  const database = await createEmptyDatabase();
  const client = new pg.Client(database.poolConfig);
  await client.connect();
  await client.query(sql).finally(() => client.end());
  const dataDir = makeFolder();
  for (const [name, bytes] of files) {
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await writeFile(path.join(dataDir, name), bytes);
  }
  const ran = await migrate(database.poolConfig);
  const config = parseConfig({
    ...{ STORE_FORM, RATE_LIMIT_LIVE: '0', RATE_LIMIT_TEST: '0', PUBLIC_URL: 'http://localhost:3000' },
    ...{ DATA_DIR: dataDir, SECRETS_KEY: about.secretsKey, EGRESS_ALLOW_CIDRS: '127.0.0.1/32' },
  });
  const log = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const wired = await wire({ config, store: database.poolConfig, log, guardEscapes: true });
  wired.readiness.isReady = true;
  await wired.app.ready();
  return { database, wired, ran };
}

export async function listFixtures(): Promise<string[]> {
  return (await readdir(FIXTURES)).filter((name) => name.endsWith('.tar.gz')).sort();
}
