/** All commands: those of the description, and those that a machine does for itself. */
import { Command, CommanderError } from 'commander';
import { createCall } from './call.ts';
import { CommandError, EXIT, type ExitCode, type Io } from './io.ts';
import { login, logout, removeProfile } from './login.ts';
import { type Description, type Field, listOperations, type Operation } from './operations.ts';
import { changeConfig, choosePair, readConfig } from './profiles.ts';
import { runOperation } from './run-operation.ts';
import { showRows } from './show.ts';

/** Answers the exit code. */
export async function run(io: Io, readDescription: () => Promise<Description>): Promise<ExitCode> {
  const isJson = io.args.includes('--json');
  try {
    const program = createProgram(io, await readDescription());
    await program.parseAsync([...io.args], { from: 'user' });
    return io.signal.aborted ? EXIT.interrupted : EXIT.done;
  } catch (error) {
    return tell(io, error, isJson);
  }
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
  const { code, message, details, exit } = known;
  if (isJson && exit !== EXIT.done) io.out(JSON.stringify({ error: { code, message, details } }));
  else if (exit !== EXIT.done) io.err(`${message}${toLines(details)}`);
  return exit;
}

function toLines(details: unknown): string {
  const lines = Array.isArray(details) ? details : [];
  return lines.map((one) => `\n  ${one.path ? `${one.path}: ${one.message}` : JSON.stringify(one)}`).join('');
}

function createProgram(io: Io, description: Description): Command {
  const program = new Command('counterfoil');
  // Commands that are made of this one take it over.
  program.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.trimEnd()),
    writeErr: (text) => io.err(text.trimEnd()),
  });
  program.description('Sell digital goods from the command line. Every operation of the API is a command.');
  addOwn(io, program);
  const nouns = new Map<string, Command>();
  for (const operation of listOperations(description)) {
    if (operation.noun === 'listeners') continue;
    const noun =
      operation.noun === '' ? program : (nouns.get(operation.noun) ?? program.command(operation.noun));
    if (operation.noun !== '') nouns.set(operation.noun, noun);
    addOperation(io, noun, operation);
  }
  return program;
}

const withPair = (command: Command) =>
  command
    .option('--profile <name>', 'whose keys are used')
    .option('--base-url <url>', 'where the service is')
    .option('--json', 'data as JSON, also of a failure');

function addOwn(io: Io, program: Command): void {
  program
    .command('login')
    .description('sign in by a code that you allow in the dashboard, or with keys')
    .option('--base-url <url>', 'where the service is')
    .option('--profile <name>', 'what these keys are called here')
    .option(
      '--keys',
      'ask for a pair, or read it from stdin: the public key, and the secret key on a second line',
    )
    .option('--json', 'a failure as JSON')
    .action((flags) => login(io, flags));
  program
    .command('logout')
    .description('revoke the keys that login fetched, and forget them')
    .option('--profile <name>', 'which')
    .option('--json', 'a failure as JSON')
    .action((flags) => logout(io, flags));
  addProfiles(io, program.command('profiles').description('the keys that this machine keeps'));
}

function addProfiles(io: Io, profiles: Command): void {
  profiles
    .command('list')
    .option('--json', 'a line of JSON each')
    .action(async ({ json }) => {
      const { current, profiles: all } = await readConfig(io);
      // No key is shown.
      const rows = Object.entries(all).map(([name, { baseUrl, workspaceName, mode }]) => ({
        ...{ name, workspace: workspaceName, mode, baseUrl, current: name === current },
      }));
      showRows(io, {
        rows,
        columns: ['name', 'workspace', 'mode', 'baseUrl', 'current'],
        isJson: json ?? false,
      });
    });
  profiles.command('use <name>').action((name: string) =>
    changeConfig(io, (config) => {
      if (!config.profiles[name]) throw new CommandError(EXIT.notFound, `There is no profile ${name}.`);
      config.current = name;
    }),
  );
  profiles
    .command('remove <name>')
    .option('--yes', 'without asking')
    .action(async (name: string, { yes }) => {
      if (!yes && !io.isAsking) throw new CommandError(EXIT.usage, 'profiles remove asks first: add --yes.');
      if (yes || (await io.ask(`Forget the keys of ${name}?`))) await removeProfile(io, name);
    });
}

function addOperation(io: Io, noun: Command, operation: Operation): void {
  const { verb, ids, summary, query, body, columns, hasBody } = operation;
  const command = withPair(noun.command([verb, ...ids.map((id) => `<${id}>`)].join(' '))).description(
    summary,
  );
  const taken = new Set(['profile', 'base-url', 'json', 'yes', 'data', 'all', 'max', 'help']);
  const fields = [...query, ...body].filter(({ flag }) => !taken.has(flag));
  for (const field of fields) {
    command.option(`--${field.flag} ${toPlace(field)}`, field.description);
  }
  if (operation.method !== 'GET') command.option('--yes', 'without asking');
  if (hasBody)
    command.option('--data <json>', 'the body as JSON, @file, or - for stdin; flags are laid over it');
  if (columns.length > 0) command.option('--all', 'every row').option('--max <n>', 'so many rows at most');
  command.action(async (...parts: unknown[]) => {
    const given = parts.slice(0, ids.length).map(String);
    const values = command.opts<Record<string, string | true>>();
    const flags = Object.fromEntries(fields.map(({ flag }) => [flag, values[toAttribute(flag)]]));
    const { data, all, max, yes, json, profile, baseUrl } = values as Record<string, never>;
    const pair = await choosePair(io, { profile, baseUrl });
    const call = createCall(io, pair);
    await runOperation(io, {
      call,
      pair,
      operation,
      given: { ids: given, flags, data, all, max, yes, json },
    });
  });
}

const toPlace = ({ kind }: Field) =>
  kind === 'boolean' ? '[true|false]' : kind === 'json' ? '<json>' : kind === 'list' ? '<a,b>' : '<value>';

/** As commander calls a flag. */
const toAttribute = (flag: string) =>
  flag.split('-').reduce((name, word) => name + word.charAt(0).toUpperCase() + word.slice(1));
