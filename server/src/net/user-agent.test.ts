import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { USER_AGENT } from './user-agent.ts';

it('names the version of the package', async () => {
  const file = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(file) as { version: string };
  expect(USER_AGENT).toBe(`Counterfoil/${version}`);
});
