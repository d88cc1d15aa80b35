/**
 * `npm run bench:restore [-- --short | --mib=N]`: a store of its own that is restored from its base backup, beside `cp` of
 * the folder that it lies in.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openEmbeddedStore } from '../server/src/db/embedded/store.ts';
import { createShop } from './api.mjs';
import { runCommand, startService, stop } from './children.mjs';
import { isShort, readSize, runBench } from './run-bench.mjs';

const MIB = readSize('mib', isShort ? 20 : 1_024);
/** Of the text of one row. */
const ROW_KIB = 32;
const ROUNDS = isShort ? 1 : 3;

await runBench(main);

async function main(folder) {
  const dataDir = path.join(folder, 'shop');
  const backups = path.join(folder, 'backups');
  mkdirSync(backups);
  const env = { BACKUP_DIR: backups, BACKUP_SAME_DISK: 'true' };
  // A service with a place for backups would take the first by itself.
  const service = await startService({ databaseUrl: null, dataDir });
  await createShop(service.origin, dataDir);
  const cluster = await fill(dataDir);
  await stop(service.child);
  await runCommand('backup', ['--base'], { databaseUrl: null, dataDir, env });
  const size = readMib(cluster);
  const copies = [];
  const restores = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [copy, restored] = ['copy', 'restored'].map((name) => path.join(folder, `${name}-${round}`));
    copies.push(
      await take(() => {
        execFileSync('cp', ['-a', cluster, copy]);
        execFileSync('sync', ['-f', copy]);
      }),
    );
    restores.push(
      await take(() =>
        runCommand('restore', ['--from', backups, '--to', restored], { databaseUrl: null, dataDir, env }),
      ),
    );
    for (const made of [copy, restored]) rmSync(made, { recursive: true, force: true });
  }
  const [copied, restored] = [Math.min(...copies), Math.min(...restores)];
  console.log(`A store of ${size} MiB, the best of ${ROUNDS}`);
  console.log(`  cp of its folder, and on the disk   ${copied.toFixed(1).padStart(8)} s`);
  console.log(`  restored, until it is whole         ${restored.toFixed(1).padStart(8)} s`);
  console.log(
    `  ratio                               ${(restored / copied).toFixed(2).padStart(8)}   aim 1.5 of 10 GB`,
  );
}

/** Rows that no compression makes smaller; answers where they lie. */
async function fill(dataDir) {
  const store = await openEmbeddedStore({ dataDir, log: () => {}, purpose: 'attach' });
  const client = new pg.Client(store.poolConfig);
  await client.connect();
  // Of each row its own, since the number of the row is in it.
  const text = `(select string_agg(md5(random()::text || n.n || m), '') from generate_series(1, ${ROW_KIB * 32}) m)`;
  await client.query(
    `insert into events (workspace_id, test_mode, id, type, idempotency_key, entity_id, entity_version, body, created_at)
     select e.workspace_id, e.test_mode, gen_random_uuid(), e.type, gen_random_uuid(), gen_random_uuid(), 1, ${text},
       e.created_at + n.n
     from (select * from events order by created_at desc limit 1) e,
       generate_series(1, ${Math.ceil((MIB * 1024) / ROW_KIB)}) n`,
  );
  await client.end();
  await store.stop();
  return store.place.cluster;
}

function readMib(folder) {
  return Number(execFileSync('du', ['-sm', folder], { encoding: 'utf8' }).split('\t')[0]);
}

async function take(work) {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}
