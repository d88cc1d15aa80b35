/** `npm run accounts -- list | setup-link | link | create | disable | enable | reset-second-factor`: the operator's hand. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { isEmail, toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  createAccount,
  type OperatorContext,
  printLink,
  resetSecondFactor,
  setDisabled,
} from '../../flows/accounts/operate-accounts.ts';
import { findSetup } from '../../flows/accounts/setup-link.ts';
import {
  type AccountRow,
  findAccountByEmail,
  listAccounts,
} from '../../resources/accounts/accounts.queries.ts';
import { createIds } from '../ids.ts';
import { answer } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage:
  npm run accounts -- list [--json]
  npm run accounts -- setup-link
  npm run accounts -- link EMAIL
  npm run accounts -- create EMAIL [--admin]
  npm run accounts -- disable EMAIL
  npm run accounts -- enable EMAIL
  npm run accounts -- reset-second-factor EMAIL`;

/** What it is does not allow this: told in one line. */
class AccountError extends Error {
  override name = 'AccountError';
}

const { positionals, values } = readFlags(USAGE, {
  allowPositionals: true,
  wordsMax: 2,
  options: { admin: { type: 'boolean', default: false } },
});

const ALONE = ['list', 'setup-link'];
const OF_ONE = ['link', 'create', 'disable', 'enable', 'reset-second-factor'];
const [verb = '', email = ''] = positionals;

function checkWords(): void {
  const isRight = email === '' ? ALONE.includes(verb) : OF_ONE.includes(verb);
  if (!isRight || (values.admin && verb !== 'create')) throw new UsageError(USAGE);
  if (verb === 'create' && !isEmail(email))
    throw new UsageError(`${email} is not an e-mail address.\n${USAGE}`);
}

async function run(db: Db, config: Config, store: OperatorStore): Promise<void> {
  const ctx: OperatorContext = { db, config, ids: createIds(), nowMs: store.nowMs() };
  if (verb === 'list') return list(db);
  if (verb === 'setup-link') return setupLink(ctx);
  switch (verb) {
    case 'link':
      return link(ctx, await find(db, email));
    case 'create':
      await createAccount(ctx, { email, installationAdmin: values.admin });
      return answer({ email, isMade: true }, `Made. It gets in by: npm run accounts -- link ${email}`);
    case 'disable':
      await setDisabled(ctx, { account: await find(db, email), isDisabled: true });
      return answer({ email, isDisabled: true }, 'Disabled. It is out everywhere within 5 seconds.');
    case 'enable':
      await setDisabled(ctx, { account: await find(db, email), isDisabled: false });
      return answer({ email, isDisabled: false }, 'Enabled.');
    default:
      await resetSecondFactor(ctx, await find(db, email));
      return answer(
        { email, isReset: true },
        'Its codes and passkeys are gone, and it is signed out everywhere.',
      );
  }
}

async function find(db: Db, email: string): Promise<AccountRow> {
  const account = await findAccountByEmail(db, toEmailNormal(email));
  if (!account) throw new Refusal('not_found', { message: `There is no account of ${email}.` });
  return account;
}

async function list(db: Db): Promise<void> {
  for (const { email, name, installationAdmin, disabledAt } of await listAccounts(db)) {
    const words = [installationAdmin ? 'installation admin' : '', disabledAt === null ? '' : 'disabled'];
    answer(
      { email, name, installationAdmin, disabledAt },
      [email, name, ...words].filter(Boolean).join('  '),
    );
  }
}

async function setupLink(ctx: OperatorContext): Promise<void> {
  const setup = await findSetup(ctx);
  if (!setup) throw new AccountError('The store is set up: get in with npm run accounts -- link EMAIL.');
  answer({ url: setup.url }, setup.url);
}

async function link(ctx: OperatorContext, account: AccountRow): Promise<void> {
  if (account.disabledAt !== null) throw new AccountError('The account is disabled.');
  const url = await printLink(ctx, account);
  answer({ url }, url, 'It signs in once, for 15 minutes.');
}

await runOnStore(run, { checkWords });
