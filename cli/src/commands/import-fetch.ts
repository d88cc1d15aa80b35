/** `import fetch`: another service's lists as files, by a key of that service that may read them. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { APIS } from '../import/fetch/apis.ts';
import { type Api, fetchLists } from '../import/fetch/lists.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { withExample, withTalk } from '../own-command.ts';
import { toBaseUrl } from '../profiles.ts';
import { showData } from '../show.ts';

interface Flags {
  out: string;
  host?: string;
}

export function addFetch(io: Io, noun: Command): void {
  const fetch = noun.command('fetch').description('read the lists of another service into a folder');
  for (const [source, api] of Object.entries(APIS)) {
    const command = withTalk(fetch.command(source))
      .description(`read what ${source} lists: its key comes from a prompt or from stdin`)
      .requiredOption('--out <folder>', 'where to; one that was stopped goes on there')
      .option('--host <url>', `missing = ${api.host}`);
    withExample(command, `counterfoil import fetch ${source} --out ./${source}`);
    command.action((flags: Flags) => fetchAll(io, { source, api, flags }));
  }
}

async function fetchAll(
  io: Io,
  { source, api, flags }: { source: string; api: Api; flags: Flags },
): Promise<void> {
  const host = toBaseUrl(flags.host ?? api.host);
  const key = await readKey(io, source);
  const out = resolve(io.cwd, flags.out);
  const counts = await fetchLists(io, { api, host, key, out });
  showData(io, { out, counts });
  io.err(`Then: counterfoil import ${source} ${flags.out} --mode test`);
}

/** Never by a flag: the shell's history and the list of processes would show it. */
async function readKey(io: Io, source: string): Promise<string> {
  const text = io.isAsking ? await io.askText(`Key of ${source}`, { isHidden: true }) : await io.readStdin();
  const key = text.trim();
  if (!/^[\x21-\x7e]{8,4096}$/.test(key)) throw new CommandError(EXIT.usage, 'One line is read: the key.');
  return key;
}
