/** `export` and `users export`: an archive of the store or of one user, written to a file. */
import { constants, createWriteStream } from 'node:fs';
import { access, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createReader, type Reader, sealByPassphrase } from '../age/passphrase.ts';
import type { Call } from '../call.ts';
import { confirmWrite } from '../confirm.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { createReach } from '../listen/contact.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';
import type { Chosen } from '../profiles.ts';
import { nounOf } from '../program-nouns.ts';
import { createProgress } from '../progress.ts';
import { showData } from '../show.ts';

const LOOK_MS = 500;
const TRIES_MAX = 5;
const PAUSE_MS = 1_000;
/** What shows how far an export has come, and where its file is. */
const READS = 'exports:read';
/** Whoever has it has the store's customers. */
const OWNER_ONLY = 0o600;

interface OutFlags extends PairFlags {
  out: string;
}

export function addExports({ io, program }: Own): void {
  const store = withOut(withPair(program.command('export'))).description(
    'write all of the store to a tar.gz, without secrets unless it is sealed',
  );
  store.option('--recipient <age1…>', 'who alone reads the file, by age; may be given again', addOne, []);
  store.option('--passphrase', 'instead of recipients: asked for, or the first line of the input');
  store.option('--with-secrets', 'its secrets, too: needs a recipient or a passphrase');
  withExample(store, 'counterfoil export --out shop.tar.gz');
  store.action((flags: StoreFlags) =>
    writeExport(io, { flags, what: 'export', body: toBody(flags), isLocked: flags.passphrase === true }),
  );
  const user = withOut(withPair(nounOf(program, 'users').command('export <userId>'))).description(
    'write all that is kept of one user to a tar.gz',
  );
  withExample(user, 'counterfoil users export 018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f --out user.tar.gz');
  user.action((userId: string, flags: OutFlags) =>
    writeExport(io, { flags, what: `users export ${userId}`, body: { kind: 'user', userId } }),
  );
}

const addOne = (one: string, before: string[]) => [...before, one];

function toBody({ withSecrets, recipient, passphrase }: StoreFlags): object {
  if (passphrase && recipient.length > 0)
    throw new CommandError(EXIT.usage, 'A file is sealed by --passphrase or for each --recipient: not both.');
  if (withSecrets && !passphrase && recipient.length === 0)
    throw new CommandError(
      EXIT.usage,
      '--with-secrets needs --recipient or --passphrase: whoever has the file would have the secrets.',
    );
  return {
    kind: 'store',
    ...(withSecrets ? { withSecrets } : {}),
    ...(recipient.length > 0 ? { recipients: recipient } : {}),
  };
}

/** Who opens the file that comes, and what it is sealed by on this machine. */
interface Lock {
  reader: Reader;
  passphrase: string;
}

async function askLock(io: Io): Promise<Lock> {
  const ask = (message: string) => io.askText(message, { isHidden: true });
  const passphrase = io.isAsking ? await ask('Passphrase') : ((await io.readStdin()).split(/\r?\n/)[0] ?? '');
  if (passphrase === '') throw new CommandError(EXIT.usage, 'The passphrase is empty.');
  if (io.isAsking && (await ask('Once more')) !== passphrase)
    throw new CommandError(EXIT.usage, 'These are two passphrases.');
  return { reader: createReader(), passphrase };
}

const withOut = (command: ReturnType<typeof withPair>) =>
  withYes(command).requiredOption('--out <file>', 'where to; a file that is there stays as it is');

interface StoreFlags extends OutFlags {
  withSecrets?: boolean;
  passphrase?: boolean;
  recipient: string[];
}

const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

interface Export {
  id: string;
  status: string;
  reason: string | null;
  rows: number;
  sizeBytes: number;
  url: string | null;
}

async function writeExport(
  io: Io,
  {
    flags,
    what,
    body,
    isLocked = false,
  }: { flags: OutFlags; what: string; body: object; isLocked?: boolean },
): Promise<void> {
  const file = resolve(io.cwd, flags.out);
  if (await stat(file).catch(() => null))
    throw new CommandError(EXIT.usage, `${flags.out} is there already.`);
  await claimPlace(file, flags.out);
  const { pair, call } = await openPair(io, flags);
  await requireReading(call);
  await confirmWrite(io, { call, pair, what, asks: false, yes: flags.yes });
  const lock = isLocked ? await askLock(io) : null;
  const sealed = lock === null ? {} : { recipients: [lock.reader.recipient] };
  const made = await makeExport(io, { call, body: { ...body, ...sealed } });
  const came = `${file}.partial`;
  try {
    await download(io, { call, pair, made, came });
    await place({ came, file, lock });
  } catch (error) {
    // Nobody goes on with it: the next begins anew.
    for (const half of [came, toSealed(came)]) await rm(half, { force: true }).catch(() => {});
    throw toNoRoom(error) ?? error;
  }
  const { size: sizeBytes } = await stat(file);
  showData(io, { file, exportId: made.id, rows: made.rows, sizeBytes });
}

/** Before anything is made, too: a pair that may only begin an export would leave one that it never sees. */
async function requireReading(call: Call): Promise<void> {
  const { key } = (await call({ method: 'GET', path: '/v0/whoami' })) as { key: { scopes: string[] | null } };
  if (key.scopes === null || key.scopes.includes(READS)) return;
  throw new CommandError(EXIT.keys, `The export could not be fetched: the key's scopes lack ${READS}.`, {
    code: 'insufficient_scope',
  });
}

/** Before anything is made: an export of a large store is not to end where there is no folder for it. */
async function claimPlace(file: string, out: string): Promise<void> {
  const folder = dirname(file);
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory() ?? false;
  const isOpen =
    isFolder &&
    (await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    ));
  if (!isOpen)
    throw new CommandError(EXIT.usage, `${out} cannot be written: ${folder} is no folder of yours.`);
}

async function makeExport(io: Io, { call, body }: { call: Call; body: object }): Promise<Export> {
  const begun = (await call({ method: 'POST', path: '/v0/exports/create', body })) as { export: Export };
  const tell = createProgress(io, 'rows');
  // It is made there, also where the service is started anew meanwhile.
  const reach = createReach(io);
  const look = (id: string) => reach(() => getExport(call, id));
  for (let { export: made } = begun; ; made = await look(made.id)) {
    if (made.status === 'done') return made;
    if (made.status !== 'queued' && made.status !== 'running')
      throw new CommandError(
        EXIT.refused,
        `The export was ${made.status}: ${made.reason ?? 'no reason given'}.`,
        {
          code: `export_${made.status}`,
        },
      );
    tell(made.rows);
    await io.sleep(LOOK_MS, io.signal);
    if (io.signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
  }
}

async function getExport(call: Call, id: string): Promise<Export> {
  return ((await call({ method: 'GET', path: `/v0/exports/${id}` })) as { export: Export }).export;
}

const toSealed = (came: string) => `${came}.sealed`;

/** Of a disk that is full here: to ask for the file again makes no room. Null = that is not why. */
function toNoRoom(error: unknown): CommandError | null {
  if (!(error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code)))) return null;
  const message = `There is no room for the file here: ${error.message}.`;
  return new CommandError(EXIT.refused, message, { code: 'no_room' });
}

/** A file of that name is a whole one. */
async function place({ came, file, lock }: { came: string; file: string; lock: Lock | null }): Promise<void> {
  if (lock === null) return rename(came, file);
  const sealed = toSealed(came);
  // One that was killed here has left it.
  await rm(sealed, { force: true });
  await sealByPassphrase({ from: came, to: sealed }, lock);
  await rm(came);
  await rename(sealed, file);
}

interface Downloaded {
  call: Call;
  pair: Chosen;
  made: Export;
  came: string;
}

/** A connection that breaks goes on where it was, by a link of its own. */
async function download(io: Io, { call, pair, made, came }: Downloaded): Promise<void> {
  const tell = createProgress(io, 'bytes');
  // Of another export, perhaps.
  await rm(came, { force: true });
  for (let tries = 1; ; tries += 1) {
    const { url } = tries === 1 && made.url ? made : await getExport(call, made.id);
    try {
      await fetchRest(io, { url: toOwnUrl(pair, url), beside: came, sizeBytes: made.sizeBytes, tell });
      break;
    } catch (error) {
      if (io.signal.aborted)
        throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
      const full = toNoRoom(error);
      if (full) throw full;
      if (error instanceof CommandError || tries >= TRIES_MAX) throw toUnreachable(error);
      await io.sleep(PAUSE_MS * tries, io.signal);
    }
  }
}

/** The service's own address may be another one than that by which it is reached from here. */
function toOwnUrl({ baseUrl }: Chosen, url: string | null): string {
  if (url === null)
    throw new CommandError(EXIT.refused, 'The export has no file any more.', { code: 'export_gone' });
  const { pathname, search } = new URL(url, baseUrl);
  return `${baseUrl}${pathname}${search}`;
}

function toUnreachable(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CommandError(EXIT.unreachable, `The file did not come: ${message}.`, { code: 'unreachable' });
}

async function fetchRest(
  io: Io,
  wanted: { url: string; beside: string; sizeBytes: number; tell: (count: number) => void },
): Promise<void> {
  const { url, beside, sizeBytes, tell } = wanted;
  const had = (await stat(beside).catch(() => null))?.size ?? 0;
  const start = had < sizeBytes ? had : 0;
  const headers = { 'accept-encoding': 'identity', ...(start > 0 ? { range: `bytes=${start}-` } : {}) };
  const response = await io.fetch(url, { headers, redirect: 'error', signal: io.signal });
  if (!response.ok || !response.body)
    throw new CommandError(EXIT.refused, `The file was refused (${response.status}).`, {
      code: 'export_gone',
    });
  const isRest = response.status === 206;
  let count = isRest ? start : 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      count += chunk.length;
      tell(count);
      yield chunk;
    }
  };
  const target = createWriteStream(beside, { flags: isRest ? 'a' : 'w', mode: OWNER_ONLY });
  // biome-ignore lint/suspicious/noExplicitAny: the two libraries' types of the same stream differ
  await pipeline(Readable.fromWeb(response.body as any), counted, target);
  if (count !== sizeBytes) throw new Error(`${count} of ${sizeBytes} bytes came`);
}
