/** `npm run config [-- --json]`: the settings in force, where each was read, and no secret. */
import { readSettings } from './environment.ts';
import { EXIT } from './exit-codes.ts';
import { readFlags } from './read-flags.ts';
import { tellConfig } from './tell-config.ts';

const { values } = readFlags('Usage: npm run config [-- --json]', {
  options: { json: { type: 'boolean', default: false } },
});

try {
  const { env, sources } = readSettings();
  const told = tellConfig(env, sources);
  if (values.json) console.log(JSON.stringify(told, null, 2));
  else for (const { name, value, source } of told) console.log(`${name}=${value ?? ''}  # ${source}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = EXIT.usage;
}
