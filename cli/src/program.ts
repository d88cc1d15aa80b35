/** All commands: those of the description, and those that a machine does for itself. */
import { Command, CommanderError } from 'commander';
import { COMMANDS } from '../../server/bin/commands.mjs';
import { addClock } from './commands/clock.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addTail } from './commands/events.ts';
import { addExports } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addListen } from './commands/listen.ts';
import { addMcp } from './commands/mcp.ts';
import { addOpen } from './commands/open.ts';
import { addOperation } from './commands/operation.ts';
import { addLogin, addProfiles } from './commands/profiles.ts';
import { addTrigger } from './commands/trigger.ts';
import { addUpload } from './commands/upload.ts';
import { addVerify } from './commands/verify.ts';
import { CommandError, EXIT, type ExitCode, type Io } from './io.ts';
import type { Catalogue } from './operations.ts';
import { nounOf } from './program-nouns.ts';

/** Answers the exit code. */
export async function run(given: Io, readCatalogue: () => Promise<Catalogue>): Promise<ExitCode> {
  const io = { ...given, args: putTalkLast(given.args) };
  const isJson = io.args.includes('--json');
  // The code that login shows is no talk.
  const isQuiet = io.args.includes('--quiet') && io.args[0] !== 'login';
  // A flag of the whole program would take those of commands: what is edited may have a version, too.
  if (['--version', '-V'].includes(io.args[0] ?? '')) {
    io.out(isJson ? JSON.stringify({ version: io.version }) : io.version);
    return EXIT.done;
  }
  try {
    refuseOperators(io.args[0]);
    const program = createProgram(isQuiet ? { ...io, err: () => {} } : io, {
      catalogue: await readCatalogue(),
      isJson,
    });
    requireVerb(program, io.args);
    await program.parseAsync([...io.args], { from: 'user' });
    return io.signal.aborted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    return tell(io, error, isJson);
  }
}

const TALK = ['--json', '--quiet'];

/** Before the command they mean the same, and each command takes them for itself. */
function putTalkLast(args: readonly string[]): string[] {
  const start = args.findIndex((arg) => !TALK.includes(arg));
  if (start <= 0) return [...args];
  const rest = args.slice(start);
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), ...args.slice(0, start), ...rest.slice(end)];
}

/** Without one the help of the noun is shown; where data is wanted, that is no answer. */
function requireVerb(program: Command, args: readonly string[]): void {
  const words = args.filter((arg) => !TALK.includes(arg));
  if (words.length === args.length) return;
  let at: Command | undefined = program;
  for (const word of words) at = at?.commands.find((command) => command.name() === word);
  if (!at || at.commands.length === 0) return;
  const help = ['counterfoil', ...words, '--help'].join(' ');
  throw new CommandError(EXIT.usage, `A command is missing: ${help} lists them.`);
}

/** The service's own package has them, and takes them before this program is asked. */
function refuseOperators(word = ''): void {
  if (!Object.hasOwn(COMMANDS, word) || word === 'doctor') return;
  const message = `${word} is a command of the service's own package, beside its store: npx counterfoil ${word}`;
  throw new CommandError(EXIT.usage, message, { code: 'operators_command' });
}

function tell(io: Io, error: unknown, isJson: boolean): ExitCode {
  // It has said what it has to say; help and the version are no failure.
  if (error instanceof CommanderError && !isJson) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const known =
    error instanceof CommandError
      ? error
      : error instanceof CommanderError
        ? new CommandError(error.exitCode === 0 ? EXIT.done : EXIT.usage, error.message)
        : new CommandError(EXIT.bug, error instanceof Error ? error.message : String(error), { code: 'bug' });
  const { code, message, details, exit, isTold } = known;
  if (isTold && isJson) return exit;
  if (isJson && exit !== EXIT.done) io.out(JSON.stringify({ error: { code, message, details } }));
  else if (exit !== EXIT.done) io.err(`${message}${toLines(details)}`);
  return exit;
}

function toLines(details: unknown): string {
  const lines = Array.isArray(details) ? details : [];
  return lines.map((one) => `\n  ${one.path ? `${one.path}: ${one.message}` : JSON.stringify(one)}`).join('');
}

function createProgram(io: Io, { catalogue, isJson }: { catalogue: Catalogue; isJson: boolean }): Command {
  const program = new Command('counterfoil');
  // Commands that are made of this one take it over.
  program.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.trimEnd()),
    writeErr: (text) => io.err(text.trimEnd()),
    // What was wrong is told once, where `--json` wants it.
    outputError: (text, write) => (isJson ? undefined : write(text)),
  });
  program.description('Sell digital goods from the command line. Every operation of the API is a command.');
  const own = { io, program, catalogue };
  for (const add of [
    addLogin,
    addProfiles,
    addListen,
    addTrigger,
    addClock,
    addOpen,
    addMcp,
    addDoctor,
    addCompletion,
  ])
    add(own);
  for (const operation of catalogue.operations) {
    const noun = operation.noun === '' ? program : nounOf(program, operation.noun);
    addOperation(io, noun, operation);
  }
  // Beside the verbs that the API has.
  for (const add of [addTail, addVerify, addExports, addImport, addUpload]) add(own);
  return program;
}
