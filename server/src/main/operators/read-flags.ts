/** Words and flags of an operator's command. */
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXIT } from '../exit-codes.ts';
import { TALK_FLAGS, tellFailure } from './manners.ts';

const PROGRAM = 'counterfoil.mjs';

class WordsTooMany extends Error {
  /** As Node says of a command that takes no words. */
  readonly code = 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
}

/**
 * Wrong ones are told with the usage, and end the process: for what is read before anything is opened. Whoever asks for
 * help is told the usage alone, and nothing is done.
 */
export function readFlags<const T extends ParseArgsConfig>(
  usage: string,
  { wordsMax = Number.POSITIVE_INFINITY, ...config }: T & { wordsMax?: number },
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    // The rest of what was given is what `parseArgs` takes, with what every command does.
    const taken = { ...config, options: { ...config.options, ...TALK_FLAGS } };
    const read = parseArgs(taken as unknown as T);
    const tooMuch = read.positionals[wordsMax];
    if (tooMuch !== undefined) throw new WordsTooMany(`Unexpected argument '${tooMuch}'.`);
    return read;
  } catch (error) {
    // It calls the command by another name, and tells that of what is thrown.
    if (path.basename(process.argv[1] ?? '') === PROGRAM) throw error;
    tellFailure(`${error instanceof Error ? error.message : error}\n${usage}`, EXIT.usage);
    process.exit(EXIT.usage);
  }
}
