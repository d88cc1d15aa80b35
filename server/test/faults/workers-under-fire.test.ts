import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { endure } from './endurance.ts';
import { buildService } from './service-process.ts';

/** The long form, by hand: `npm run endurance`. */
const SEED = Number(process.env.ENDURANCE_SEED ?? 20_261_121);

let database: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  await buildService();
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-fault-'));
}, 300_000);
afterAll(async () => {
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('four workers that renew what fell due in two months without any', { timeout: 300_000 }, () => {
  it('T02 renew each period once and in order, though they are killed, cut off, or halted until they have lost their leases', async () => {
    const { faults, figures } = await endure({
      databaseUrl: database.url,
      dataDir,
      seed: SEED,
      workers: 4,
      subscriptions: 60,
      periods: 2,
      kills: 8,
      pauses: 2,
      cuts: 2,
      hasBadCards: true,
      isHastened: true,
      connections: 4,
    });
    expect({ faults, seed: SEED }).toEqual({ faults: [], seed: SEED });
    expect(figures).toMatchObject({ kills: 8, pauses: 2, 'renewals paid': 2 * 54 });
  });
});
