/** `npm run config [-- --json]`: the settings in force, where each was read, and no secret. */
import { readSettings } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { answer, tellFailure } from './manners.ts';
import { readFlags } from './read-flags.ts';
import { tellConfig } from './tell-config.ts';

readFlags('Usage: npm run config [-- --json]', { options: {} });

try {
  const { env, sources } = readSettings();
  for (const told of tellConfig(env, sources))
    answer(told, `${told.name}=${told.value ?? ''}  # ${told.source}`);
} catch (error) {
  process.exitCode = EXIT.usage;
  tellFailure(error, EXIT.usage);
}
