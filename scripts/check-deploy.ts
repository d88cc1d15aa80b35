/** `npm run check:deploy`: what lies in `deploy`, read by the programs that it is meant for. A missing one fails. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ROOT } from './source-files.ts';

const EXPOSURE_MAX = 4;
const folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-deploy-'));
const problems: string[] = [];

try {
  check('systemd-analyze', [
    'security',
    '--offline=true',
    `--threshold=${EXPOSURE_MAX * 10}`,
    at('systemd/counterfoil.service'),
  ]);
  check('caddy', ['validate', '--adapter', 'caddyfile', '--config', at('proxy/Caddyfile')]);
  check('nginx', ['-t', '-c', makeNginx()]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('systemd-analyze, caddy and nginx take what is in deploy');

function check(program: string, args: string[]): void {
  const { status, error, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (error) problems.push(`${program} could not be run: ${error.message}`);
  else if (status !== 0) problems.push(`${program}:\n${stdout}${stderr}`);
}

/** The site within a whole file of settings, with a certificate of the moment in place of the shop's. */
function makeNginx(): string {
  const [key, certificate] = [path.join(folder, 'key.pem'), path.join(folder, 'certificate.pem')];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '1',
    '-subj',
    '/CN=shop.example.com',
  ];
  execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const site = readFileSync(at('proxy/nginx.conf'), 'utf8')
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`);
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `pid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`,
  );
  return file;
}

function at(file: string): string {
  return path.join(ROOT, 'deploy', file);
}
