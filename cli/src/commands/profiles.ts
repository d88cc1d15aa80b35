/** `login`, `logout` and `profiles`: the keys that this machine keeps. */
import type { Command } from 'commander';
import { CommandError, EXIT, type Io } from '../io.ts';
import { login, logout, removeProfile } from '../login.ts';
import { type Own, withExample, withTalk, withYes } from '../own-command.ts';
import { changeConfig, readConfig } from '../profiles.ts';
import { showRows } from '../show.ts';

export function addLogin({ io, program }: Own): void {
  const signIn = withTalk(program.command('login'))
    .description('sign in by a code that you allow in the dashboard, or with keys')
    .option('--base-url <url>', 'where the service is')
    .option('--profile <name>', 'what these keys are called here')
    .option(
      '--keys',
      'ask for a pair, or read it from stdin: the public key, and the secret key on a second line',
    );
  withExample(signIn, 'counterfoil login --base-url https://pay.example.com');
  signIn.action((flags) => login(io, flags));
  const signOut = withTalk(program.command('logout'))
    .description('revoke the keys that login fetched, and forget them')
    .option('--profile <name>', 'which');
  withExample(signOut, 'counterfoil logout').action((flags) => logout(io, flags));
}

export function addProfiles({ io, program }: Own): void {
  const profiles = program.command('profiles').description('the keys that this machine keeps');
  const list = withTalk(profiles.command('list')).description('which there are; no key is shown');
  withExample(list, 'counterfoil profiles list').action(({ json }) => listProfiles(io, json ?? false));
  const use = withTalk(profiles.command('use <name>')).description('take these keys from now on');
  withExample(use, 'counterfoil profiles use shop').action((name: string) =>
    changeConfig(io, (config) => {
      if (!config.profiles[name]) throw new CommandError(EXIT.notFound, `There is no profile ${name}.`);
      config.current = name;
    }),
  );
  addRemove(io, profiles);
}

async function listProfiles(io: Io, isJson: boolean): Promise<void> {
  const { current, profiles: all } = await readConfig(io);
  const rows = Object.entries(all).map(([name, { baseUrl, workspaceName, mode }]) => ({
    ...{ name, workspace: workspaceName, mode, baseUrl, current: name === current },
  }));
  showRows(io, { rows, columns: ['name', 'workspace', 'mode', 'baseUrl', 'current'], isJson });
}

function addRemove(io: Io, profiles: Command): void {
  const remove = withYes(withTalk(profiles.command('remove <name>'))).description('forget these keys');
  withExample(remove, 'counterfoil profiles remove shop --yes');
  remove.action(async (name: string, { yes }) => {
    if (!(await readConfig(io)).profiles[name])
      throw new CommandError(EXIT.notFound, `There is no profile ${name}.`);
    if (!yes && !io.isAsking) throw new CommandError(EXIT.usage, 'profiles remove asks first: add --yes.');
    if (yes || (await io.ask(`Forget the keys of ${name}?`))) await removeProfile(io, name);
  });
}
