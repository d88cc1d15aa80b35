import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { sealCredentials } from '../../src/flows/payments/seal-credentials.ts';
import { EXIT } from '../../src/main/exit-codes.ts';
import { createSealing } from '../../src/net/sealing.ts';
import { findProcessor, insertProcessor } from '../../src/resources/processors/processors.queries.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { runCommand } from '../support/run-command.ts';
import { findFreePort, spawnService } from './service-process.ts';

const OLD = randomBytes(32).toString('base64');

let t: TestApp;
let dataDir: string;
beforeAll(async () => {
  t = await createTestApp({ SECRETS_KEY: OLD });
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-lost-key-'));
});
afterAll(async () => {
  await t.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('O55 P03 a lost key is one line and no start; given up, the service starts and its processor is broken', async () => {
  const id = randomUUID();
  const scope = t.live.scope;
  const sealing = createSealing({ keys: [OLD], file: null });
  const credentials = sealCredentials({ sealing }, scope, { id, credentials: { secretKey: 'sk_live_4711' } });
  const row = { id, kind: 'other', name: 'Other', credentials, healthSince: 0, createdAt: 0 };
  await inTransaction(t.service.db, (tx) => insertProcessor(tx, scope, row));

  // A machine that has the store's address and nothing of the old folder.
  const databaseUrl = String(t.service.pool.options.connectionString);
  const options = { port: await findFreePort(), dataDir, databaseUrl };
  const refused = spawnService(options);
  expect((await refused.exited).code).toBe(EXIT.refused);
  const lines = refused.output().trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('forget-sealed');
  expect((await findProcessor(t.service.db, scope, id))?.credentials).toBe(credentials);

  const env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const unsure = await runCommand('keys', ['forget-sealed'], env);
  expect([unsure.code, unsure.err]).toEqual([2, expect.stringContaining('add --yes')]);
  const forgotten = await runCommand('keys', ['forget-sealed', '--yes', '--quiet'], env);
  expect([forgotten.code, forgotten.err]).toEqual([0, '']);

  const service = spawnService(options);
  await service.ready();
  expect(await findProcessor(t.service.db, scope, id)).toMatchObject({
    credentials: 'lost',
    health: 'broken',
  });
  service.signal('SIGTERM');
  expect((await service.exited).code).toBe(0);
});
