/** `import`: what another service holds, converted, uploaded and looked at; then brought in, then charged here. */
import { openAsBlob } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Call } from '../call.ts';
import { confirmWrite } from '../confirm.ts';
import { CONVERTERS, convertToFile } from '../import/convert-to-file.ts';
import { type Stay, toSentence } from '../import/stays.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { createReach } from '../listen/contact.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';
import type { Chosen } from '../profiles.ts';
import { createProgress } from '../progress.ts';
import { showData } from '../show.ts';
import { addFetch } from './import-fetch.ts';

const IMPORTS = '/v0/imports';
const LOOK_MS = 500;
/** A rehearsal answers when the test clock has moved. */
const COMMIT_TIMEOUT_MS = 600_000;
const NAMED_MAX = 10_000;
const ERRORS_FILE = 'errors.jsonl';
/** Of what buyers have said. */
const OWNER_ONLY = 0o600;
const ID = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

interface ImportAnswer {
  id: string;
  status: string;
  reason: string | null;
  waiting: number;
  plan: null | {
    hash: string;
    lines: number;
    errors: Array<{ line: number }>;
    errorCount: number;
    warningCount: number;
    priceChangeCount: number;
  };
  rehearsal: null | { differences: unknown[] };
}

interface Opened {
  pair: Chosen;
  call: Call;
}

export function addImport({ io, program }: Own): void {
  const noun = program.command('import').description('bring along what another service holds');
  for (const source of [...Object.keys(CONVERTERS), 'jsonl']) addSource(io, noun, source);
  addShow(io, noun);
  addCommit(io, noun);
  addActivate(io, noun);
  addFetch(io, noun);
}

interface SourceFlags extends PairFlags {
  mode: string;
}

function addSource(io: Io, noun: Command, source: string): void {
  const command = withYes(withPair(noun.command(`${source} <path>`)))
    .description(
      source === 'jsonl'
        ? 'upload a file of import lines, and show what a commit would do'
        : `convert what was listed or exported at ${source} (a folder or a file), upload it, and show what a commit would do`,
    )
    .requiredOption('--mode <mode>', 'test or live, as the keys are');
  withExample(
    command,
    `counterfoil import ${source} ${source === 'jsonl' ? 'shop.jsonl' : `./${source}`} --mode test`,
  );
  command.action(async (path: string, flags: SourceFlags) => {
    const opened = await openPair(io, flags);
    checkMode(opened.pair, flags.mode);
    const from = resolve(io.cwd, path);
    await confirmWrite(io, { ...opened, what: `import ${source} ${path}`, asks: false, yes: flags.yes });
    const converter = CONVERTERS[source];
    if (!converter)
      return showPlan(io, { ...opened, made: await upload(io, opened.call, await findFile(from)) });
    const folder = await mkdtemp(join(tmpdir(), 'counterfoil-import-'));
    try {
      const to = join(folder, 'lines.jsonl');
      const tell = createProgress(io, 'lines');
      const { lines, stays } = await convertToFile({
        converter,
        from,
        to,
        nowMs: io.nowMs(),
        signal: io.signal,
        tell,
      });
      if (lines <= 1) throw new CommandError(EXIT.usage, `${path} holds nothing that ${source} lists.`);
      for (const stay of stays) io.err(toSentence(stay));
      await showPlan(io, { ...opened, made: await upload(io, opened.call, to), stays });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function checkMode({ isLive }: Chosen, mode: string): void {
  if (mode !== 'test' && mode !== 'live') throw new CommandError(EXIT.usage, '--mode is test or live.');
  if ((mode === 'live') !== isLive)
    throw new CommandError(EXIT.usage, `The keys are ${isLive ? 'live' : 'test'} keys, not ${mode} ones.`, {
      code: 'mode_mismatch',
    });
}

/** A folder that holds one such file stands for it. */
async function findFile(path: string): Promise<string> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new CommandError(EXIT.usage, `${path} is not there.`);
  if (found.isFile()) return path;
  if (!found.isDirectory()) throw new CommandError(EXIT.usage, `${path} is no file.`);
  const names = (await readdir(path)).filter((name) => /\.(jsonl|ndjson)$/i.test(name));
  const [only] = names;
  if (only === undefined || names.length > 1)
    throw new CommandError(EXIT.usage, `${path} holds ${names.length} files of lines: name one.`);
  return join(path, only);
}

/** It is read as it is sent. */
async function upload(io: Io, call: Call, file: string): Promise<ImportAnswer> {
  const type = 'application/jsonl';
  const request = {
    method: 'POST',
    path: `${IMPORTS}/create`,
    timeoutMs: 0,
    headers: { 'content-type': type },
  };
  const answer = (await call({ ...request, raw: await openAsBlob(file, { type }) })) as {
    import: ImportAnswer;
  };
  return settle(io, { call, made: answer.import });
}

async function getImport(call: Call, id: string, query?: URLSearchParams): Promise<ImportAnswer> {
  const request = {
    method: 'GET',
    path: `${IMPORTS}/${encodeURIComponent(id)}`,
    ...(query ? { query } : {}),
  };
  return ((await call(request)) as { import: ImportAnswer }).import;
}

/** Until it is planned, or brought in: there it goes on by itself, also where the service is started anew meanwhile. */
async function settle(io: Io, { call, made }: { call: Call; made: ImportAnswer }): Promise<ImportAnswer> {
  const reach = createReach(io);
  for (let one = made; ; one = await reach(() => getImport(call, made.id))) {
    if (one.status === 'failed')
      throw new CommandError(EXIT.refused, `The import failed: ${one.reason ?? 'no reason given'}.`, {
        code: 'import_failed',
      });
    if (one.status !== 'planning' && one.status !== 'committing') return one;
    await io.sleep(LOOK_MS, io.signal);
    if (io.signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
    if (one === made) io.err(`${made.id} is ${one.status}.`);
  }
}

interface Shown extends Opened {
  made: ImportAnswer;
  stays?: Stay[];
}

/** What is refused stands in a file of its own, a line each. */
async function showPlan(io: Io, { call, made, stays }: Shown): Promise<void> {
  showData(io, stays ? { import: made, stays } : { import: made });
  const { plan } = made;
  if (plan === null || made.status !== 'planned') return;
  const { errorCount, warningCount, priceChangeCount, hash } = plan;
  if (warningCount > 0) io.err(warningCount === 1 ? '1 warning.' : `${warningCount} warnings.`);
  if (priceChangeCount > 0) io.err(`${priceChangeCount} will be charged other sums: --accept-price-changes`);
  if (errorCount > 0) {
    await writeErrors(io, { call, made });
    throw new CommandError(EXIT.findings, `${errorCount} lines are refused: see ${ERRORS_FILE}.`, {
      code: 'findings',
      isTold: true,
    });
  }
  io.err(`To bring it in: counterfoil import commit ${made.id} --plan ${hash}`);
}

async function writeErrors(io: Io, { call, made }: { call: Call; made: ImportAnswer }): Promise<void> {
  const file = resolve(io.cwd, ERRORS_FILE);
  await writeFile(file, '', { mode: OWNER_ONLY });
  for (let rows = made.plan?.errors ?? []; rows.length > 0; ) {
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { flag: 'a' });
    const query = new URLSearchParams({ errorsAfter: String(rows.at(-1)?.line ?? 0) });
    rows = (await getImport(call, made.id, query)).plan?.errors ?? [];
  }
}

function addShow(io: Io, noun: Command): void {
  const command = withPair(noun.command('show <importId>')).description('show an import with its plan');
  withExample(command, `counterfoil import show ${ID}`);
  command.action(async (id: string, flags: PairFlags) => {
    const opened = await openPair(io, flags);
    await showPlan(io, { ...opened, made: await getImport(opened.call, id) });
  });
}

interface CommitFlags extends PairFlags {
  plan: string;
  skipErrors?: boolean;
  acceptPriceChanges?: boolean;
  rehearse?: string;
}

function addCommit(io: Io, noun: Command): void {
  const command = withYes(withPair(noun.command('commit <importId>')))
    .description('bring in just what the plan of this hash says')
    .requiredOption('--plan <hash>', 'the hash of the plan that was looked at')
    .option('--skip-errors', 'leave out what is refused')
    .option('--accept-price-changes', 'some are charged other sums from now on')
    .option('--rehearse <span>', 'test mode: go on by this, such as 1month, and compare the charges');
  withExample(command, `counterfoil import commit ${ID} --plan ${HASH}`);
  command.action(async (id: string, flags: CommitFlags) => {
    const { plan, skipErrors = false, acceptPriceChanges = false, rehearse } = flags;
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: `import commit ${id}`, asks: false, yes: flags.yes });
    const body = { plan, skipErrors, acceptPriceChanges, ...(rehearse === undefined ? {} : { rehearse }) };
    const path = `${IMPORTS}/${encodeURIComponent(id)}/commit`;
    const request = { method: 'POST', path, body, timeoutMs: COMMIT_TIMEOUT_MS };
    const begun = ((await call(request)) as { import: ImportAnswer }).import;
    const made = await settle(io, { call, made: begun });
    showData(io, { import: made });
    if (made.status !== 'committed')
      throw new CommandError(EXIT.refused, `It is ${made.status} again: look at the new plan.`, {
        code: 'plan_changed',
        isTold: true,
      });
    if (made.waiting > 0) io.err(`${made.waiting} subscriptions wait: counterfoil import activate ${id}`);
    const differences = made.rehearsal?.differences.length ?? 0;
    if (differences > 0) throw toFindings(`${differences} charges differ from the source's.`);
    // What the plan told of was agreed to.
    const late = made.plan === null ? 0 : made.plan.errors.length - made.plan.errorCount;
    if (late > 0) throw toFindings(`${late} lines that the plan counted were left out: import show ${id}`);
  });
}

const toFindings = (message: string) =>
  new CommandError(EXIT.findings, message, { code: 'findings', isTold: true });

interface ActivateFlags extends PairFlags {
  subscriptions?: string;
  chargeMissed?: boolean;
  invite?: boolean;
}

interface Activated {
  import: ImportAnswer;
  results: Array<{ ref: string; status: string; code: string | null; invited: boolean }>;
}

function addActivate(io: Io, noun: Command): void {
  const command = withYes(withPair(noun.command('activate <importId>')))
    .description('charge its subscriptions here from now on: stop them there first')
    .option('--subscriptions <file>', 'ids, a line each; missing = all that wait')
    .option('--charge-missed', 'charge the running period where what was paid for has ended')
    .option('--invite', 'mail a link that stores a card to who has none');
  withExample(command, `counterfoil import activate ${ID} --invite`);
  command.action(async (id: string, flags: ActivateFlags) => {
    const names =
      flags.subscriptions === undefined ? null : await readNames(resolve(io.cwd, flags.subscriptions));
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: `import activate ${id}`, asks: false, yes: flags.yes });
    const data = await activate(call, { id, names, flags });
    showData(io, data);
    const refused = data.results.filter(({ status }) => status === 'refused');
    io.err(`${data.results.length - refused.length} are charged here from now on.`);
    if (refused.length > 0) throw toFindings(`${refused.length} were refused: see the results.`);
  });
}

/** So many at once as a request takes. */
async function activate(
  call: Call,
  { id, names, flags }: { id: string; names: string[] | null; flags: ActivateFlags },
): Promise<Activated> {
  const { chargeMissed = false, invite = false } = flags;
  const path = `${IMPORTS}/${encodeURIComponent(id)}/activate`;
  const ask = async (subscriptions?: string[]) => {
    const body = { chargeMissed, invite, ...(subscriptions ? { subscriptions } : {}) };
    return (await call({ method: 'POST', path, body, timeoutMs: COMMIT_TIMEOUT_MS })) as unknown as Activated;
  };
  if (names === null) return ask();
  const all: Activated[] = [];
  for (let from = 0; from < names.length; from += NAMED_MAX)
    all.push(await ask(names.slice(from, from + NAMED_MAX)));
  const last = all.at(-1);
  if (!last) throw new CommandError(EXIT.usage, `The file names no subscription.`);
  return { import: last.import, results: all.flatMap(({ results }) => results) };
}

async function readNames(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) throw new CommandError(EXIT.usage, `${file} cannot be read.`);
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '');
}
