/**
 * `npm run dev`: the service from its sources, with what it needs. It starts again when a source of the server
 * changes, and builds the pages again when one of theirs does. Ctrl-C ends it all.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** An editor saves in several writes, a checkout changes many files: one start for them all. */
const SETTLE_MS = 150;
/** A service that is asked to stop gives its leases back; one that hangs is ended. */
const STOP_LIMIT_MS = 10_000;
const SOURCE = /\.(ts|sql|json)$/;
const TEST = /\.test\.ts$/;

const built = spawnSync(process.execPath, [path.join(ROOT, 'scripts/bootstrap.mjs'), 'build'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);

let isEnding = false;
let service = startService();
let settling;
/** The watch begins with a build of its own, of what is built already. */
let isFirstBuild = true;

const builds = [[], ['--config', 'vite.dashboard.config.ts']].map((config) =>
  spawn(
    process.execPath,
    [
      path.join(ROOT, 'node_modules/vite/bin/vite.js'),
      ...['build', '--watch', '--logLevel', 'warn'],
      ...config,
    ],
    { cwd: path.join(ROOT, 'web'), stdio: 'inherit' },
  ),
);
watch(path.join(ROOT, 'server/src'), { recursive: true }, (_event, file) => {
  if (file && SOURCE.test(file) && !TEST.test(file)) restartSoon(`server/src/${file}`);
});
// The names of the built files change, and the server reads them once.
watch(path.join(ROOT, 'web/dist'), (_event, file) => {
  if (file !== 'manifest.json' || !existsSync(path.join(ROOT, 'web/dist/manifest.json'))) return;
  if (!isFirstBuild) restartSoon('a page');
  isFirstBuild = false;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);

function startService() {
  const program = ['--import', './scripts/typescript.mjs', 'server/src/main/start.ts'];
  return spawn(process.execPath, program, { cwd: ROOT, stdio: 'inherit' });
}

function restartSoon(what) {
  clearTimeout(settling);
  settling = setTimeout(() => restart(what), SETTLE_MS);
}

async function restart(what) {
  if (isEnding) return;
  console.log(`${what} changed: starting again`);
  await stop(service);
  if (!isEnding) service = startService();
}

async function end() {
  if (isEnding) return;
  isEnding = true;
  clearTimeout(settling);
  await Promise.all([stop(service), ...builds.map(stop)]);
  process.exit(0);
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(late);
}
