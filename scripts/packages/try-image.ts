/**
 * `npm run check:image -- [--base IMAGE] [--packages FOLDER]`: builds the image of `deploy/Dockerfile` without a registry and runs
 * it as a strict host would. Needs root, `buildah`, `unshare` and, without `--base`, `mmdebstrap`: the base is then a Debian
 * with the Node.js that runs this. Nothing of the machine's own containers is touched.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../source-files.ts';
import { type Image, tryContainer } from './try-container.ts';

const SIZE_MAX_MIB = 450;
const DEBIAN = 'bookworm';

const { values } = parseArgs({ options: { base: { type: 'string' }, packages: { type: 'string' } } });
requirePrograms(['buildah', 'unshare', 'nsenter', ...(values.base ? [] : ['mmdebstrap'])]);
const folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-image-'));
/** Without a runtime and without a registry. */
const BUILD = ['bud', '--isolation', 'chroot', '--format', 'docker', '--quiet'];
const OWN = ['--root', path.join(folder, 'images'), '--runroot', path.join(folder, 'run')];

try {
  const image = build(values.base ?? makeBase(), values.packages ?? pack());
  expectConfig(image);
  for (const line of await tryContainer(image, path.join(folder, 'data'))) console.log(line);
  console.log('The image is what it is to be.');
} finally {
  try {
    buildah(['umount', '--all']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requirePrograms(names: string[]): void {
  const paths = (process.env.PATH ?? '').split(':');
  const missing = names.filter((name) => !paths.some((at) => existsSync(path.join(at, name))));
  if (process.getuid?.() !== 0) missing.unshift('root');
  if (missing.length === 0) return;
  console.error(`The image cannot be tried here without ${missing.join(', ')}.`);
  process.exit(2);
}

function buildah(args: string[]): string {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return execFileSync('buildah', [...OWN, ...args], { cwd: ROOT, encoding: 'utf8', stdio }).trim();
}

function pack(): string {
  const out = path.join(folder, 'packages');
  const args = ['run', '--silent', 'pack', '--', '--out', out];
  execFileSync('npm', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  return out;
}

/** What `node:24-bookworm-slim` is: Debian, Node.js and npm. */
function makeBase(): string {
  const debian = path.join(folder, 'debian.tar');
  const made = ['--quiet', '--variant=minbase', '--include=ca-certificates', DEBIAN, debian];
  execFileSync('mmdebstrap', made, { stdio: ['ignore', 'inherit', 'inherit'] });
  const node = path.join(folder, 'node');
  mkdirSync(node);
  cpSync(process.execPath, path.join(node, 'node'));
  const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim());
  cpSync(path.join(path.dirname(npm), '..'), path.join(node, 'npm'), { recursive: true });
  const file = path.join(folder, 'Base');
  const lines = [
    'FROM scratch',
    'ADD debian.tar /',
    'COPY node/node /usr/local/bin/node',
    'COPY node/npm /usr/local/lib/node_modules/npm',
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod +x /usr/local/lib/node_modules/npm/bin/npm-cli.js',
    ...trustAsHere(),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  buildah([...BUILD, '-f', file, '-t', 'localhost/base', folder]);
  return 'localhost/base';
}

/** Behind a proxy of the house, who answers for a registry is this machine's to say. */
function trustAsHere(): string[] {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  if (!NODE_EXTRA_CA_CERTS) return [];
  cpSync(NODE_EXTRA_CA_CERTS, path.join(folder, 'trusted.crt'));
  return ['COPY trusted.crt /etc/ssl/trusted.crt', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/trusted.crt'];
}

function build(base: string, packages: string): Image {
  const dockerfile = path.join(ROOT, 'deploy/Dockerfile');
  const from = ['--build-arg', `NODE_IMAGE=${base}`];
  buildah([...BUILD, ...from, '-f', dockerfile, '-t', 'localhost/counterfoil', packages]);
  const container = buildah(['from', 'localhost/counterfoil']);
  const { Docker } = JSON.parse(buildah(['inspect', '--type', 'image', 'localhost/counterfoil'])) as {
    Docker: { config: Image['config'] };
  };
  return { config: Docker.config, root: buildah(['mount', container]) };
}

function expectConfig({ config, root }: Image): void {
  const sizeMiB = Number(execFileSync('du', ['-sxm', root], { encoding: 'utf8' }).split('\t')[0]);
  console.log(`${sizeMiB} MiB unpacked, at most ${SIZE_MAX_MIB}`);
  const wrong = [
    ...(sizeMiB <= SIZE_MAX_MIB ? [] : ['it is too large']),
    ...(config.User === '10001:10001' ? [] : [`its user is ${config.User}`]),
    ...(config.Volumes && '/data' in config.Volumes ? [] : ['/data is no volume']),
    ...(config.Healthcheck?.Test[0] === 'CMD' ? [] : ['it has no health check']),
    ...(existsSync(path.join(root, 'opt/counterfoil/sbom.cdx.json'))
      ? []
      : ['it has no list of what it holds']),
  ];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
}
