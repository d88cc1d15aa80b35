/**
 * `npm run upgrade-fixture [-- --root CHECKOUT]`: a store in every state
 * that a release can be brought into through its API, written to `upgrade-fixtures/<version>.tar.gz`. The suite starts
 * today's code on each of them (`server/test/journeys/upgrades.test.ts`). `--root` is a built checkout of the release;
 * missing = this one. Needs PostgreSQL at DATABASE_URL, with its `pg_dump`, and makes a database of its own there.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import pg from 'pg';
import { tellStory } from './fixture-story.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DEFAULT_URL = 'postgres://postgres@127.0.0.1:5432/postgres';
const BYTES_MAX = 5 * 1024 ** 2;
/** Opens what is sealed in the fixture, and nothing else. */
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64url');
const DATABASE = `counterfoil_fixture_${process.pid}`;

const { values } = parseArgs({ options: { root: { type: 'string', default: ROOT } } });
const root = path.resolve(values.root);
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
const target = path.join(ROOT, 'upgrade-fixtures', `${version}.tar.gz`);
const adminUrl = process.env.DATABASE_URL ?? DEFAULT_URL;
const admin = new pg.Client({ connectionString: adminUrl });
await admin.connect();
await admin.query(`create database ${DATABASE}`);
const databaseUrl = Object.assign(new URL(adminUrl), { pathname: `/${DATABASE}` }).href;
const dataDir = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-fixture-'));
try {
  const keys = await tellStory({ root, databaseUrl, dataDir, secretsKey: SECRETS_KEY });
  const migration = await findMigration();
  const about = { version, migration, secretsKey: SECRETS_KEY, keys };
  const parts = new Map<string, Buffer>([
    ['fixture.json', Buffer.from(`${JSON.stringify(about, null, 2)}\n`)],
    ['store.sql', dump()],
    ...listFiles('invoices'),
    ...listFiles('files'),
  ]);
  const entries = [...parts].map(([name, body]) => ({
    header: { name, size: body.length, mtime: new Date(0), mode: 0o600, uid: 0, gid: 0 },
    body,
  }));
  const packed = gzipSync(await packTar(entries), { level: 9 });
  if (packed.length > BYTES_MAX) throw new Error(`${packed.length} bytes are more than a fixture may have`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, packed);
  console.log(`${target}: ${packed.length} bytes, migration ${migration}`);
} finally {
  await admin.query(`drop database if exists ${DATABASE} with (force)`);
  await admin.end();
  rmSync(dataDir, { recursive: true, force: true });
}

async function findMigration(): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>('select max(name) as name from schema_migrations');
  await client.end();
  return rows[0]?.name ?? '';
}

/** As statements that any client can send: no line is a command of `psql`. */
function dump(): Buffer {
  const args = ['--inserts', '--rows-per-insert=100', '--no-owner', '--no-privileges', databaseUrl];
  const text = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 1024 ** 3 });
  return Buffer.from(text.replace(/^\\.*\n/gm, ''));
}

/** What lies on disk beside the store. */
function* listFiles(folder: string): Generator<[string, Buffer]> {
  const names = readdirSync(dataDir).includes(folder)
    ? readdirSync(path.join(dataDir, folder), { recursive: true, encoding: 'utf8' })
    : [];
  for (const name of names.sort()) {
    const place = path.join(dataDir, folder, name);
    if (statSync(place).isFile()) yield [`${folder}/${name}`, readFileSync(place)];
  }
}
