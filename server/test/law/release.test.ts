/** A release: what its workflow may do, and what it asks before a package is published. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgeRelease } from '../../../scripts/packages/judge-release.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

interface Step {
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
}
interface Job {
  'runs-on': string;
  needs?: string;
  permissions: Record<string, string>;
  environment?: string;
  steps: Step[];
}

describe('X37 a release', () => {
  const workflow = parse(read('.github/workflows/release.yml')) as {
    on: { push: { tags: string[] } };
    permissions: object;
    jobs: { pack: Job; publish: Job };
  };
  const { pack, publish } = workflow.jobs;
  const stepsOf = ({ steps }: Job) => steps.map(({ uses, run }) => uses?.split('@')[0] ?? run ?? '');

  it('X37 is built, tested and packed without rights, and published by a job that holds the packed files alone', () => {
    expect([workflow.on.push.tags, workflow.permissions]).toEqual([['v[0-9]+.[0-9]+.[0-9]+'], {}]);
    expect(Object.keys(workflow.jobs)).toEqual(['pack', 'publish']);
    expect([pack.permissions, pack.environment]).toEqual([{ contents: 'read' }, undefined]);
    expect(pack.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with).toEqual({
      'fetch-depth': 0,
      'persist-credentials': false,
    });
    expect(stepsOf(pack).some((step) => step.startsWith('npm run release:check'))).toBe(true);
    expect(publish).toMatchObject({
      needs: 'pack',
      permissions: { 'id-token': 'write' },
      environment: 'npm',
    });
    expect(stepsOf(publish).slice(0, 2)).toEqual(['actions/download-artifact', 'actions/setup-node']);
    expect(publish.steps.filter(({ run }) => run)).toHaveLength(1);
    expect(publish.steps.at(-1)?.run).toMatch(/npm publish .*--provenance --ignore-scripts/);
    expect(read('.github/workflows/release.yml')).not.toMatch(/secrets\./);
    const artifacts = [pack, publish].map(
      ({ steps }) => steps.find(({ uses }) => uses?.includes('-artifact@'))?.with,
    );
    expect(artifacts).toMatchObject([
      { name: 'packages', path: 'dist/packages/*.tgz' },
      { name: 'packages' },
    ]);
  });

  it('X37 runs no action of others by a name that can be given to something else', () => {
    const used = [pack, publish].flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  it('X37 names commands that there are, in scripts that a shell reads', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const { run } of [...pack.steps, ...publish.steps]) {
      if (run === undefined) continue;
      execFileSync('bash', ['-n', '-c', run]);
      for (const [, name = ''] of run.matchAll(/npm run ([\w:-]+)/g))
        expect([name, name in scripts]).toEqual([name, true]);
    }
  });

  it('X37 fails where what is shipped has changed and no line tells of it', () => {
    const told = '# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n\n## 1.2.0\n- Others.\n';
    const untold = '# Changelog\n\n## Unreleased\n\n## 1.2.0\n- Others.\n';
    const since = { version: '1.2.0', tag: null, released: 'v1.2.0', changed: ['server/src/config.ts'] };
    expect(judgeRelease({ ...since, changelog: told })).toEqual([]);
    expect(judgeRelease({ ...since, changelog: untold })).toEqual([
      'CHANGELOG.md has no line under Unreleased, and server/src/config.ts has changed since v1.2.0',
    ]);
    expect(judgeRelease({ ...since, changelog: untold, changed: [] })).toEqual([]);
    const next = { ...since, version: '1.3.0', changelog: told };
    expect(judgeRelease(next)).toEqual([]);
    expect(judgeRelease({ ...next, changelog: untold })).toEqual(['CHANGELOG.md says nothing of 1.3.0']);
    expect(judgeRelease({ ...next, tag: 'v1.3.0' })).toEqual(['CHANGELOG.md has no line under 1.3.0']);
    expect(judgeRelease({ ...next, tag: 'v1.4.0' })).toEqual([
      'The tag v1.4.0 is not the one of version 1.3.0',
    ]);
    expect(judgeRelease({ ...since, tag: 'v1.2.0', changelog: told })).toEqual([]);
  });
});
