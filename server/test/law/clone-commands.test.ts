/** The command `counterfoil` in a clone, where not everything is built that a package brings along. */
import { execFile } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/source-files.ts';
import { makeFolder } from '../support/restoring.ts';

interface Ended {
  code: number | null;
  said: string;
}

/** In a checkout in which nothing is built. */
function run(words: string[]): Promise<Ended> {
  const clone = makeFolder();
  for (const part of ['server/bin', 'scripts/forebears.mjs'])
    cpSync(path.join(ROOT, part), path.join(clone, part), { recursive: true });
  return new Promise((resolve) => {
    const bin = path.join(clone, 'server/bin/counterfoil.mjs');
    const child = execFile(process.execPath, [bin, ...words], (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, said: stdout + stderr }),
    );
  });
}

describe('counterfoil in a clone', () => {
  it("says in one line how the merchant's commands are built", async () => {
    const { code, said } = await run(['orders', 'list']);
    expect([code, said]).toEqual([
      1,
      "The merchant's commands are not built: npm run build --workspace cli\n",
    ]);
  });

  it('X23 has the doctor of both programs', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(scripts.doctor).toMatch(
      /build && .*build --workspace cli && node server\/bin\/counterfoil.mjs doctor$/,
    );
  });
});
