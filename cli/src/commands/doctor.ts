/** `doctor`: what is wrong, as far as it can be seen from here, and one remedy each. */

import { Option } from 'commander';
import { type Finding, ok, warn } from '../doctor/finding.ts';
import { checkConfig, checkNode } from '../doctor/machine.ts';
import { checkService } from '../doctor/service.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { type Own, type PairFlags, withExample, withPair } from '../own-command.ts';
import { choosePair } from '../profiles.ts';

export function addDoctor({ io, program }: Own): void {
  const command = withPair(program.command('doctor')).description(
    'say what is wrong here and with the service, and what to do',
  );
  withExample(command, 'counterfoil doctor');
  // Said by the service's own package, which has looked at the store before.
  command.addOption(new Option('--beside-store').hideHelp());
  // It has told that live stores are held: once is enough.
  command.addOption(new Option('--held-beside').hideHelp());
  // How much it has found, or failed with 0 found: what is sound here is not the whole.
  command.addOption(new Option('--found-beside <count>').hideHelp());
  command.action(async (flags: DoctorFlags) => {
    const all = await examine(io, flags);
    const found = flags.heldBeside ? all.filter(({ check }) => check !== 'held') : all;
    for (const one of found) print(io, one, flags.json ?? false);
    const count = found.filter(({ status }) => status !== 'ok').length;
    const told = `${count + Number(flags.foundBeside ?? 0)} found.`;
    if (count > 0) throw new CommandError(EXIT.findings, told, { code: 'findings', isTold: true });
    if (flags.foundBeside === undefined) io.err('Nothing was found.');
    else if (flags.foundBeside !== '0') io.err(told);
  });
}

interface DoctorFlags extends PairFlags {
  besideStore?: boolean;
  heldBeside?: boolean;
  foundBeside?: string;
}

async function examine(io: Io, flags: DoctorFlags): Promise<Finding[]> {
  const found = [checkNode(io.nodeVersion), await checkConfig(io)];
  const pair = await choosePair(io, flags).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  // An operator need have none: who has moved them out of DATA_DIR has done as the guide says.
  if (pair instanceof CommandError && pair.code === 'no_keys' && flags.besideStore)
    return [...found, ok('keys', 'none are kept here: what a store says of itself was not asked')];
  if (pair instanceof CommandError) return [...found, warn('keys', pair.message, toRemedy(pair))];
  return [...found, ...(await checkService(io, pair, io.version))];
}

/** To sign in asks for the same file. */
const toRemedy = ({ code }: CommandError) =>
  code.startsWith('broken_') ? 'Mend or remove that file, then: counterfoil login' : 'counterfoil login';

function print(io: Io, { check, status, message, remedy }: Finding, isJson: boolean): void {
  if (isJson) io.out(JSON.stringify({ check, status, message, remedy }));
  else
    io.out(
      `${status.padEnd(4)}  ${check.padEnd(12)}  ${message}${remedy === null ? '' : `\n${' '.repeat(20)}${remedy}`}`,
    );
}
