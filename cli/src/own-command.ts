/** What commands beside those of the description are given. */
import type { Command } from 'commander';
import { type Call, createCall } from './call.ts';
import type { Io } from './io.ts';
import type { Catalogue } from './operations.ts';
import { type Chosen, choosePair } from './profiles.ts';

export interface Own {
  io: Io;
  program: Command;
  catalogue: Catalogue;
}

export interface PairFlags {
  profile?: string;
  baseUrl?: string;
  json?: boolean;
  yes?: boolean;
}

export const withTalk = (command: Command) =>
  command.option('--json', 'data as JSON, also of a failure').option('--quiet', 'data and failures alone');

export const withPair = (command: Command) =>
  withTalk(
    command
      .option('--profile <name>', 'whose keys are used')
      .option('--base-url <url>', 'where the service is'),
  );

export const withYes = (command: Command) => command.option('--yes', 'without asking');

/** An example that runs as it is written. */
export const withExample = (command: Command, ...examples: string[]) =>
  command.addHelpText(
    'after',
    `\n${examples.length > 1 ? 'Examples' : 'Example'}:\n${examples.map((one) => `  $ ${one}`).join('\n')}`,
  );

export async function openPair(io: Io, flags: PairFlags): Promise<{ pair: Chosen; call: Call }> {
  const pair = await choosePair(io, flags);
  return { pair, call: createCall(io, pair) };
}
