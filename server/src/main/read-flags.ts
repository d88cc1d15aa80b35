/** Words and flags of an operator's command. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { EXIT } from './exit-codes.ts';

/** Wrong ones are told with the usage, and end the process: for what is read before anything is opened. */
export function readFlags<const T extends ParseArgsConfig>(
  usage: string,
  { wordsMax = Number.POSITIVE_INFINITY, ...config }: T & { wordsMax?: number },
): ReturnType<typeof parseArgs<T>> {
  try {
    // The rest of what was given is what `parseArgs` takes.
    const read = parseArgs(config as unknown as T);
    const tooMuch = read.positionals[wordsMax];
    if (tooMuch !== undefined) throw new Error(`Unexpected argument '${tooMuch}'`);
    return read;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(EXIT.usage);
  }
}
