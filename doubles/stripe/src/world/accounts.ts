import type { World } from '../../../core/world.ts';
import { addConfiguration } from '../verbs/account.ts';
import { DAY_MS } from '../verbs/ledger.ts';
import type { Account } from './rows.ts';

const KEY_LENGTH = 40;

export function openAccount(
  world: World,
  asked: { country: string; currency: string; isLive: boolean },
): Account {
  const id = `acct_${world.count('accounts')}`;
  world.begin(id);
  const mode = asked.isLive ? 'live' : 'test';
  const account: Account = {
    id,
    country: asked.country,
    currency: asked.currency,
    isLive: asked.isLive,
    secretKey: `sk_${mode}_${world.digest(`sk ${id} 1`, KEY_LENGTH)}`,
    publishableKey: `pk_${mode}_${world.digest(`pk ${id}`, KEY_LENGTH)}`,
    isClosed: false,
    restrictedKeys: {},
    created: world.now,
    configuration: '',
  };
  account.configuration = addConfiguration(world, account, 'Default', {}).data.id;
  world.store.put('account', id, account);
  const midnightMs = Math.ceil(world.nowMs / DAY_MS) * DAY_MS;
  world.at(midnightMs, 'payOut', { account: id });
  return account;
}

/** The old key answers 401 from now on. */
export function revoke(world: World, account: Account): void {
  const mode = account.isLive ? 'live' : 'test';
  world.store.put('revoked', account.secretKey, account.id);
  account.secretKey = `sk_${mode}_${world.digest(`sk ${account.id} ${world.count('keys') + 1}`, KEY_LENGTH)}`;
  world.store.put('account', account.id, account);
}

/** A restricted key with the permissions: `payment_intents:write`. */
export function addRestricted(world: World, account: Account, permissions: string[]): string {
  const mode = account.isLive ? 'live' : 'test';
  const key = `rk_${mode}_${world.digest(`rk ${account.id} ${world.count('keys')}`, KEY_LENGTH)}`;
  account.restrictedKeys[key] = permissions;
  world.store.put('account', account.id, account);
  return key;
}
