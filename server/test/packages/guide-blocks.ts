/** The code of a guide, block by block, and how each is run. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { readDescribed } from '../../../cli/described.ts';
import { readCatalogue } from '../../../cli/src/operations.ts';
import { COMMANDS } from '../../bin/commands.mjs';
import { ROOT } from './packing.ts';

const run = promisify(execFile);
const RUN_WITHIN_MS = 120_000;
const BLOCK = /^```(.+)\n([\s\S]*?)^```$/gm;

export interface Block {
  /** What stands behind the signs that open it: `js run`. */
  mark: string;
  code: string;
}

export function listBlocks(page: string): Block[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(BLOCK)].map(([, mark = '', code = '']) => ({ mark, code }));
}

/** All pages whose blocks somebody runs: what is written for newcomers. */
export const listPages = (): string[] => [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs/guides'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/guides/${name}`),
];

export interface Place {
  folder: string;
  env: NodeJS.ProcessEnv;
}

/** What a block prints, run as its reader runs it; a shell stops at the first command that fails. */
export async function runBlock({ mark, code }: Block, { folder, env }: Place): Promise<string> {
  const [file, program, ...args] =
    mark === 'sh run' ? ['block.sh', 'sh', '-e'] : ['block.mjs', process.execPath];
  await writeFile(path.join(folder, file), code);
  const options = { cwd: folder, env, timeout: RUN_WITHIN_MS, killSignal: 'SIGKILL' as const };
  return (await run(program, [...args, file], options)).stdout;
}

/** `npx counterfoil` of whoever is in the folder: the operators' commands as built, the merchant's built for it alone. */
export async function installProgram(folder: string): Promise<void> {
  const bin = path.join(folder, 'node_modules/.bin');
  const merchants = path.join(folder, 'merchants');
  await mkdir(bin, { recursive: true });
  const configFile = path.join(ROOT, 'cli/vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir: merchants, emptyOutDir: true } });
  await writeFile(path.join(merchants, 'operations.json'), JSON.stringify(readCatalogue(readDescribed())));
  await writeFile(path.join(merchants, 'package.json'), '{"type":"module"}');
  const program = `#!/bin/sh
case "$1" in
  ${Object.keys(COMMANDS).join('|')}) exec '${process.execPath}' '${ROOT}server/bin/counterfoil.mjs' "$@" ;;
esac
exec '${process.execPath}' '${merchants}/main.js' "$@"
`;
  await writeFile(path.join(bin, 'counterfoil'), program);
  await chmod(path.join(bin, 'counterfoil'), 0o755);
}
