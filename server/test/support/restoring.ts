/** Files of exports and backups, and stores that they are restored into. */
import { mkdtempSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import pino from 'pino';
import { expect } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { writeBackup } from '../../src/flows/exports/write-backup.ts';
import {
  type Restored,
  type RestoreOptions,
  restoreArchive,
} from '../../src/flows/restores/restore-archive.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import type { Sealer } from '../../src/providers/files/age.ts';
import { createEmptyDatabase, createTestDatabase, STORE_FORM, type TestDatabase } from './database.ts';
import type { TestApp, TestStore } from './harness.ts';

export const makeFolder = () => mkdtempSync(path.join(tmpdir(), 'restoring-'));

/** All of a store, in a file. */
export async function takeStoreFile(app: TestApp, store: TestStore): Promise<string> {
  const asked = await store.post('/v0/exports/create', { kind: 'store' });
  expect(asked.status, asked.text).toBe(200);
  await app.wired.worker.runDue();
  const shown = (await store.get(`/v0/exports/${asked.body.data.export.id}`)).body.data.export;
  expect(shown).toMatchObject({ status: 'done', reason: null });
  const got = await app.app.inject({ url: new URL(shown.url).pathname });
  const file = path.join(makeFolder(), 'store.tar.gz');
  await writeFile(file, got.rawPayload);
  return file;
}

/** The file that an export comes to, of a service that is asked by a pair. */
export async function toArchive(
  { app, worker }: Wired,
  { publicKey, secretKey }: { publicKey: string; secretKey: string },
  payload: object,
): Promise<string> {
  const headers = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey };
  const asked = await app.inject({ method: 'POST', url: '/v0/exports/create', headers, payload });
  expect(asked.statusCode, asked.payload).toBe(200);
  await worker.runDue();
  const shown = await app.inject({ url: `/v0/exports/${asked.json().data.export.id}`, headers });
  const made = shown.json().data.export;
  expect(made).toMatchObject({ status: 'done', reason: null });
  const got = await app.inject({ url: new URL(made.url).pathname });
  const file = path.join(makeFolder(), 'store.tar.gz');
  await writeFile(file, got.rawPayload);
  return file;
}

export async function takeBackup({ service }: TestApp, seal: Sealer | null = null): Promise<string> {
  const target = path.join(makeFolder(), 'backup.tar.gz');
  await writeBackup(service, { target, seal, nowMs: Date.now() });
  return target;
}

/** The parts of a file that is not sealed, by their names. */
export async function readParts(file: string): Promise<Map<string, Buffer>> {
  const entries = await unpackTar(gunzipSync(await readFile(file)));
  return new Map(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));
}

/** The same file with one part changed, packed as before; answers where it lies. */
export async function changePart(
  file: string,
  name: string,
  change: (text: string) => string,
): Promise<string> {
  const parts = await readParts(file);
  const entries = [...parts].map(([of, part]) => {
    const body = of === name ? Buffer.from(change(String(part))) : part;
    return { header: { name: of, size: body.length }, body };
  });
  const changed = path.join(makeFolder(), 'changed.tar.gz');
  await writeFile(changed, gzipSync(await packTar(entries)));
  return changed;
}

// biome-ignore lint/suspicious/noExplicitAny: rows and objects of every shape are compared as a whole.
export function linesOf(part: Buffer | undefined): any[] {
  return String(part)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** A store with a service over it, to be restored into. */
export interface Place {
  database: TestDatabase;
  wired: Wired;
  dataDir: string;
  restore(file: string, options?: Partial<RestoreOptions>): Promise<Restored>;
  /** What the service answers to a pair. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are compared as a whole.
  get(url: string, keys: { publicKey: string; secretKey: string }): Promise<{ status: number; body: any }>;
  close(): Promise<void>;
}

/** `isBlank`: without a schema; else a migrated one without any workspace. */
export async function openPlace(env: Record<string, string> = {}, isBlank = true): Promise<Place> {
  const database = await (isBlank ? createEmptyDatabase() : createTestDatabase());
  const dataDir = makeFolder();
  const config = parseConfig({
    ...{ STORE_FORM, RATE_LIMIT_LIVE: '0', RATE_LIMIT_TEST: '0', PUBLIC_URL: 'http://localhost:3000' },
    ...{ DATA_DIR: dataDir, ...env },
  });
  const wired = await wire({
    ...{ config, store: database.poolConfig, log: pino({ level: 'silent' }), guardEscapes: true },
  });
  wired.readiness.isReady = true;
  await wired.app.ready();
  return {
    database,
    wired,
    dataDir,
    restore: (file, options) =>
      restoreArchive({ ...wired.service, connection: database.poolConfig }, file, {
        askKeys: () => Promise.reject(new Error('no key was to be asked for')),
        ...{ nowMs: Date.now(), ownerEmail: null, isThrownAway: false, tell: () => {} },
        findBroken: (db) => findBroken(db, config.egressAllowCidrs),
        ...options,
      }),
    get: async (url, { publicKey, secretKey }) => {
      const headers = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey };
      const response = await wired.app.inject({ url, headers });
      return { status: response.statusCode, body: response.json() };
    },
    close: async () => {
      await wired.close();
      await database.drop();
    },
  };
}
