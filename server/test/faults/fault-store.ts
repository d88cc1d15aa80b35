/** What processes of ours need in a test that kills them: the build, a store and a folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildService } from './service-process.ts';

export interface FaultStore {
  databaseUrl: string;
  dataDir: string;
}

/** Makes them before the tests of a file, and removes them after; answers how to reach them meanwhile. */
export function openFaultStore({ isEmpty = false } = {}): () => FaultStore {
  let database: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    await buildService();
    database = await (isEmpty ? createEmptyDatabase() : createTestDatabase());
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-fault-'));
  }, 600_000);
  afterAll(async () => {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return () => ({ databaseUrl: database.url, dataDir });
}
