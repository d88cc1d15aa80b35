import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../src/main/exit-codes.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildService, findFreePort, spawnService } from './service-process.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(os.tmpdir(), 'wrong-folders-'));
}, 300_000);

afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('beside a PostgreSQL of its own', { timeout: 60_000 }, () => {
  it.each([
    ['DATA_DIR', ''],
    ['FILES_URL', 'file://'],
    ['RETAIN_EXPORT', 'file://'],
  ])('%s that cannot be written to stops the start by its name', async (name, scheme) => {
    const file = path.join(folder, `a-file-${name}`);
    await writeFile(file, '');
    for (const wrong of [file, '/proc/nope']) {
      const at = {
        port: await findFreePort(),
        dataDir: path.join(folder, 'data'),
        databaseUrl: database.url,
      };
      const service = spawnService({ ...at, env: { [name]: `${scheme}${wrong}` } });
      expect((await service.exited).code).toBe(EXIT.usage);
      const line = `Counterfoil cannot start: ${name} (${wrong}) cannot be used`;
      expect(service.output().trim().split('\n')).toEqual([expect.stringContaining(line)]);
    }
  });
});
