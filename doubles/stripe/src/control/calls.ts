/** What the control port does to Stripe's accounts and objects. */
import { BadCall, type Body, need, onlyKnows } from '../../../core/checks.ts';
import type { ControlCalls } from '../../../core/control.ts';
import type { World } from '../../../core/world.ts';
import { addRestricted, openAccount, revoke } from '../world/accounts.ts';
import { isCurrency } from '../world/currencies.ts';
import type { Account } from '../world/rows.ts';
import { toBooks } from './books.ts';
import { actOn } from './object-calls.ts';

export const CALLS: ControlCalls = {
  open,
  revoke: renew,
  close,
  act: actOn,
  books: (world, account) => toBooks(world, findAccount(world, account)),
};

function open(world: World, body: Body): object {
  onlyKnows(body, ['country', 'currency', 'mode', 'permissions']);
  const { country = 'DE', currency = 'eur', mode = 'test', permissions } = body;
  need(typeof country === 'string' && /^[A-Z]{2}$/.test(country), 'country must be two capital letters');
  need(
    typeof currency === 'string' && isCurrency(currency),
    'currency must be one that Stripe knows, in small letters',
  );
  need(mode === 'test' || mode === 'live', 'mode must be test or live');
  const account = openAccount(world, { country, currency, isLive: mode === 'live' });
  const { id, secretKey, publishableKey } = account;
  if (permissions === undefined) return { id, secretKey, publishableKey };
  need(Array.isArray(permissions), 'permissions must be a list, as payment_intents:write');
  return {
    id,
    secretKey,
    publishableKey,
    restrictedKey: addRestricted(world, account, permissions.map(String)),
  };
}

function findAccount(world: World, id: string): Account {
  const account = world.store.get<Account>('account', id);
  if (!account) throw new BadCall(`no account ${id}`);
  return account;
}

function renew(world: World, id: string): object {
  const account = findAccount(world, id);
  revoke(world, account);
  return { id, secretKey: account.secretKey, publishableKey: account.publishableKey };
}

function close(world: World, id: string): object {
  const account = findAccount(world, id);
  account.isClosed = true;
  world.store.put('account', id, account);
  return {};
}
