import { execFile } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDescribed } from '../described.ts';
import { readCatalogue } from '../src/operations.ts';

const exec = promisify(execFile);
let folder: string;

/** The program as it is shipped, on the PATH of the shells. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-bin-'));
  const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));
  const outDir = join(folder, 'dist');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  await writeFile(join(outDir, 'operations.json'), JSON.stringify(readCatalogue(readDescribed())));
  await writeFile(join(outDir, 'package.json'), '{"type":"module"}');
  const bin = join(folder, 'counterfoil');
  await writeFile(bin, `#!/bin/sh\nexec '${process.execPath}' '${join(outDir, 'main.js')}' "$@"\n`);
  await chmod(bin, 0o755);
});

/** What a shell prints that runs the script after having read our completion. */
async function ask(shell: string, args: string[], script: string): Promise<string[]> {
  const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
  const { stdout } = await exec('counterfoil', ['completion', shell], { env });
  const file = join(folder, `completion.${shell}`);
  await writeFile(file, stdout);
  const said = await exec(shell, [...args, '-c', script.replaceAll('FILE', file)], { env });
  return said.stdout.split('\n').filter(Boolean);
}

const isThere = (shell: string) =>
  exec(shell, ['-c', 'exit 0']).then(
    () => true,
    () => false,
  );

describe('completion', () => {
  const bash = (words: string[]) =>
    ask(
      'bash',
      ['--norc'],
      `. FILE; COMP_WORDS=(counterfoil ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _counterfoil; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  it('X24 completes nouns, verbs, flags and words in bash', async () => {
    expect(await bash(['test-c'])).toEqual(['test-clock']);
    expect(await bash(['orders', 're'])).toEqual(['refund', 'reset-downloads', 'reveal-keys']);
    expect(await bash(['orders', 'refund', '--am'])).toEqual(['--amount']);
    expect(await bash(['clock', ''])).toEqual(['advance', 'reset', 'show']);
    expect(await bash(['completion', 'z'])).toEqual(['zsh']);
    expect(await bash(['order', 're'])).toEqual([]);
  });

  it('X24 completes in zsh', async ({ skip }) => {
    if (!(await isThere('zsh'))) skip();
    // Outside of its line editor the shell hands what was found to this.
    const script = `compdef() {}; compadd() { shift; print -l -- "\${(@P)1}" }; . FILE; words=(counterfoil orders re); CURRENT=3; _counterfoil`;
    expect(await ask('zsh', ['-f'], script)).toEqual(['refund', 'reset-downloads', 'reveal-keys']);
    // From a folder of functions, too, at the first press; and names of files where nothing of ours fits.
    const loaded = script.replace(
      '. FILE',
      'cp FILE ~/_counterfoil; fpath=(~ $fpath); autoload -U _counterfoil',
    );
    expect(await ask('zsh', ['-f'], loaded)).toEqual(['refund', 'reset-downloads', 'reveal-keys']);
    const file = script.replace('orders re', 'import jsonl sh').replace('CURRENT=3', 'CURRENT=4');
    expect(await ask('zsh', ['-f'], `_files() { print files }; ${file}`)).toEqual(['files']);
  });

  it('X24 completes in fish', async ({ skip }) => {
    if (!(await isThere('fish'))) skip();
    const found = await ask('fish', ['--no-config'], `source FILE; complete -C 'counterfoil orders re'`);
    expect(found).toEqual(['refund', 'reset-downloads', 'reveal-keys']);
    const files = `source FILE; cd; touch shop.jsonl; complete -C 'counterfoil import jsonl sh'`;
    expect(await ask('fish', ['--no-config'], files)).toEqual(['shop.jsonl']);
  });
});

describe('the program as it is shipped', () => {
  it('X15 ends without a word, with 0, where whoever reads its lines reads no further', async () => {
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}` };
    const script = 'counterfoil products --help | :; echo "exit $PIPESTATUS"';
    const { stdout, stderr } = await exec('bash', ['-c', script], { env });
    expect([stdout, stderr]).toEqual(['exit 0\n', '']);
  });
});
