import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, ROOT } from '../../../scripts/source-files.ts';
import { SLOW_FILES } from '../slow-files.ts';

const script = readFileSync(path.join(ROOT, '.ci/run'), 'utf8');

/** The paths of a run, as .ci/run gives them, and what it leaves out of them. */
function readRun(name: string): (file: string) => boolean {
  const words = new RegExp(`^${name}='([^']*)'`, 'm').exec(script)?.[1]?.split(/\s+/) ?? [];
  const paths = words.filter((word) => !word.startsWith('-'));
  const left = words
    .filter((word) => word.startsWith('--exclude='))
    .map((word) => word.slice('--exclude='.length));
  return (file) =>
    paths.some((one) => file.includes(one)) && !left.some((glob) => path.matchesGlob(file, glob));
}

describe('what npm test leaves out', () => {
  const files = ['server', 'sdk', 'cli'].flatMap((workspace) => listFiles(workspace, /\.test\.ts$/));
  const runs = [readRun('embedded_store'), readRun('store_tests')];

  it.each(SLOW_FILES)('is run by .ci/run: %s', (glob) => {
    const slow = files.filter((file) => path.matchesGlob(file, glob));
    expect(slow).not.toEqual([]);
    expect(slow.filter((file) => !runs.some((runsIt) => runsIt(file)))).toEqual([]);
  });

  it('is told apart from what nothing runs', () => {
    expect(runs.map((runsIt) => runsIt('server/src/db/embedded/store.test.ts'))).toEqual([true, false]);
    expect(runs.map((runsIt) => runsIt('server/src/http/app.test.ts'))).toEqual([false, false]);
  });
});
