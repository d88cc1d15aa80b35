/**
 * `npm run keys -- list | create | roll | revoke`: the operator's key pairs, beside a running service too; and `reseal`,
 * `forget-sealed`, `confirm-kept` for what SECRETS_KEY seals.
 */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { PUBLISHABLE_SCOPES } from '../../domain/publishable-keys.ts';
import { issueKeyPair } from '../../flows/workspaces/issue-key-pair.ts';
import { ROLL_HOURS_MAX, rollKeyPair } from '../../flows/workspaces/roll-key-pair.ts';
import type { Sealing } from '../../net/sealing.ts';
import { listKeyPairs, lockKeyPair, updateKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { ONE_LINE } from '../../resources/shapes.ts';
import { listWorkspaces } from '../../resources/workspaces/workspaces.queries.ts';
import { EXIT } from '../exit-codes.ts';
import { createIds } from '../ids.ts';
import { countUnopened, forgetUnopened, openSealing, resealAll } from '../sealed-secrets.ts';
import { beSure } from './be-sure.ts';
import { confirmKept } from './kept-key.ts';
import { answer, talk } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage:
  npm run keys -- list [--json]
  npm run keys -- create [--live [--open]] [--name NAME] [--workspace ID] [--publishable | --scopes orders:read,orders:write] [--read-requires-secret] [--amounts minor|major] [--json]
  npm run keys -- roll PUBLIC_KEY [--grace-hours 0..${ROLL_HOURS_MAX}] [--json]
  npm run keys -- revoke PUBLIC_KEY
  npm run keys -- reseal
  npm run keys -- forget-sealed [--yes]
  npm run keys -- confirm-kept`;

const OPEN =
  'The pair is open: whoever has its public key alone reads orders, payments, buyers and their addresses. Put it into no page.';
/** Where scopes narrow what that is. */
const OPEN_WITHIN_SCOPES =
  'The pair is open: its public key alone reads what its scopes let it read. Put it into no page.';
const CLOSED = 'The pair is closed: its public key alone reads nothing.';

const NAME_MAX = 100;

const PUBLISHABLE =
  'The pair is for browsers: its public key may stand in a page of the origins in `authorizedDomains`. Its secret key may not.';

const { positionals, values } = readFlags(USAGE, {
  allowPositionals: true,
  wordsMax: 2,
  options: {
    live: { type: 'boolean', default: false },
    open: { type: 'boolean', default: false },
    name: { type: 'string', default: 'Key pair' },
    workspace: { type: 'string' },
    scopes: { type: 'string' },
    publishable: { type: 'boolean', default: false },
    'read-requires-secret': { type: 'boolean', default: false },
    amounts: { type: 'string', default: 'minor' },
    'grace-hours': { type: 'string', default: '24' },
    yes: { type: 'boolean', default: false },
  },
});

const ALONE = ['list', 'create', 'reseal', 'forget-sealed', 'confirm-kept'];
const OF_ONE = ['roll', 'revoke'];
const [verb = '', publicKey = ''] = positionals;
const graceHours = Number(values['grace-hours'].trim() || Number.NaN);

function checkWords(): void {
  const isRight = publicKey === '' ? ALONE.includes(verb) : OF_ONE.includes(verb);
  if (!isRight) throw new UsageError(USAGE);
  readAmounts();
  if (!(graceHours >= 0 && graceHours <= ROLL_HOURS_MAX)) throw new UsageError(USAGE);
  const { open, publishable: isForBrowsers, 'read-requires-secret': isClosed, scopes } = values;
  if ((open || isForBrowsers) && isClosed) throw new UsageError(USAGE);
  if (isForBrowsers && scopes !== undefined) throw new UsageError(USAGE);
  checkName(values.name);
}

async function run(db: Db, config: Config, store: OperatorStore): Promise<void> {
  if (verb === 'list') return list(db);
  if (verb === 'create') return create(db, store);
  if (verb === 'roll') return roll(db, store);
  if (verb === 'revoke') return revoke(db, store);
  if (verb === 'reseal') return reseal(db, openSealing(config));
  if (verb === 'forget-sealed') return forgetSealed(db, openSealing(config));
  return tellKept(db, openSealing(config));
}

async function list(db: Db): Promise<void> {
  for (const pair of await listKeyPairs(db)) {
    const end = pair.revokedAt ?? pair.expiresAt;
    const state = end === null ? 'active' : `ends ${new Date(end).toISOString()}`;
    answer(toTold(pair, end), [pair.publicKey, pair.workspaceName, pair.name, state].join('  '));
  }
}

const toTold = (pair: Awaited<ReturnType<typeof listKeyPairs>>[number], endsAt: number | null) => {
  const { publicKey, workspaceName, name } = pair;
  return { publicKey, workspaceName, name, endsAt };
};

async function create(db: Db, store: OperatorStore): Promise<void> {
  const { publishable: isForBrowsers } = values;
  const workspaces = await listWorkspaces(db);
  const chosen = values.workspace ? workspaces.find(({ id }) => id === values.workspace) : workspaces[0];
  if (!chosen) throw new Refusal('not_found', { message: 'There is no such workspace.' });
  const named = values.scopes?.split(',').map((scope) => scope.trim()) ?? null;
  const scopes = isForBrowsers ? [...PUBLISHABLE_SCOPES] : named;
  const scope = { workspaceId: chosen.id, testMode: !values.live };
  const terms = {
    name: values.name,
    scopes,
    // A live pair is closed unless it is opened by name.
    readRequiresSecret: values['read-requires-secret'] || (values.live && !values.open && !isForBrowsers),
    amounts: readAmounts(),
    nowMs: store.nowMs(),
  };
  print(await inTransaction(db, (tx) => issueKeyPair(tx, scope, { ids: createIds(), terms })));
  const ofOpen = named === null ? OPEN : OPEN_WITHIN_SCOPES;
  talk(isForBrowsers ? PUBLISHABLE : terms.readRequiresSecret ? CLOSED : ofOpen);
}

function readAmounts(): 'minor' | 'major' {
  const { amounts } = values;
  if (amounts === 'minor' || amounts === 'major') return amounts;
  throw new UsageError(USAGE);
}

/** As the API takes it. */
function checkName(name: string): void {
  const isOneLine = new RegExp(ONE_LINE, 'u').test(name);
  if (name.trim() !== '' && name.length <= NAME_MAX && isOneLine) return;
  throw new UsageError(`--name has 1 to ${NAME_MAX} characters, in one line.`);
}

async function roll(db: Db, store: OperatorStore): Promise<void> {
  const input = { publicKey, graceHours, nowMs: store.nowMs() };
  print(await inTransaction(db, (tx) => rollKeyPair(tx, createIds(), input)));
}

async function revoke(db: Db, store: OperatorStore): Promise<void> {
  await inTransaction(db, async (tx) => {
    const pair = await lockKeyPair(tx, publicKey);
    if (!pair) throw new Refusal('not_found', { message: 'There is no such key pair.' });
    // The first time is when it ended.
    if (pair.revokedAt === null)
      await updateKeyPair(tx, { workspaceId: pair.workspaceId, id: pair.id, revokedAt: store.nowMs() });
  });
  answer({ publicKey, isRevoked: true }, 'Revoked. It stops working within 5 seconds.');
}

/** After a new key was put in front of the old one: once it is done the old one can go. */
async function reseal(db: Db, sealing: Sealing): Promise<void> {
  if (sealing.keyIds().length === 0) throw new UsageError('There is no SECRETS_KEY to seal with.');
  const { resealed, unopened } = await resealAll(db, sealing);
  answer({ resealed, unopened }, `Sealed anew with the first key: ${resealed}.`);
  if (unopened === 0) return;
  talk(`No key opens ${unopened}: they stay as they are.`);
  process.exitCode = EXIT.found;
}

async function forgetSealed(db: Db, sealing: Sealing): Promise<void> {
  const unopened = await countUnopened(db, sealing);
  if (unopened.length === 0)
    return answer({ forgotten: 0 }, 'Every secret can be opened: there is nothing to forget.');
  for (const { noun, count } of unopened) talk(`No key opens the secrets of ${count} of ${noun}.`);
  await beSure('Give them up for good?', values);
  const forgotten = await forgetUnopened(db, sealing);
  answer(
    { forgotten },
    `Forgotten: ${forgotten}. They are to be entered again;`,
    'whoever signed in by a code gets in by a recovery code, and enrols the app again.',
  );
}

/** No backup holds them: whoever says so is not reminded any more, until there is another key. */
async function tellKept(db: Db, sealing: Sealing): Promise<void> {
  const count = await confirmKept(db, sealing);
  if (count === 0) throw new UsageError('There is no SECRETS_KEY, and nothing that it would seal.');
  answer({ kept: count }, 'Noted: the keys that seal secrets are kept elsewhere.');
}

function print({ publicKey, secretKey }: { publicKey: string; secretKey: string }): void {
  answer({ publicKey, secretKey }, `x-svc-public-key: ${publicKey}`, `x-svc-secret-key: ${secretKey}`);
  talk('The secret key is shown only now.');
}

await runOnStore(run, { checkWords });
