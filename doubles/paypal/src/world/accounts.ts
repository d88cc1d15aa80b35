/** Accounts and the tokens that their clients call with. */
import type { World } from '../../../core/world.ts';
import { isUnauthorised } from '../api/errors.ts';
import type { Account } from './rows.ts';

const SECRET_LENGTH = 80;
/** Nine hours. https://developer.paypal.com/api/rest/authentication/ */
const TOKEN_LIFE_S = 32_400;

interface Token {
  account: string;
  secret: string;
  untilMs: number;
}

export function openAccount(
  world: World,
  asked: { country: string; currency: string; isLive: boolean },
): Account {
  const ordinal = world.count('accounts');
  world.begin(`account ${ordinal}`);
  const account: Account = {
    id: world.digest(`merchant ${ordinal}`, 13).toUpperCase(),
    clientId: `A${world.digest(`client ${ordinal}`, SECRET_LENGTH - 1)}`,
    clientSecret: `E${world.digest(`secret ${ordinal} 1`, SECRET_LENGTH - 1)}`,
    ...asked,
    isClosed: false,
  };
  world.store.put('client', account.clientId, account.id);
  return world.store.put('account', account.id, account);
}

/** The old secret and all tokens answer 401 from now on. */
export function renewSecret(world: World, account: Account): void {
  account.clientSecret = `E${world.digest(`secret ${account.id} ${world.count('secrets') + 1}`, SECRET_LENGTH - 1)}`;
  world.store.put('account', account.id, account);
}

/** Answers POST /v1/oauth2/token. */
export function giveToken(world: World, authorization: string | undefined, grant: unknown): object {
  const [scheme, sealed = ''] = (authorization ?? '').split(' ');
  const [clientId = '', secret = ''] = Buffer.from(sealed, 'base64').toString().split(':');
  const account = world.store.get<Account>('account', world.store.get<string>('client', clientId) ?? '');
  if (scheme !== 'Basic' || !account || account.clientSecret !== secret)
    throw isUnauthorised('invalid_client', 'Client Authentication failed');
  if (grant !== 'client_credentials')
    throw isUnauthorised('unsupported_grant_type', 'unsupported grant_type');
  const token = `A21AA${world.digest(`token ${world.count('tokens')}`, 60)}`;
  const untilMs = world.nowMs + TOKEN_LIFE_S * 1000;
  world.store.put<Token>('token', token, { account: account.id, secret, untilMs });
  return {
    scope: 'https://uri.paypal.com/services/payments/realtimepayment openid',
    access_token: token,
    token_type: 'Bearer',
    app_id: `APP-${account.id}`,
    expires_in: TOKEN_LIFE_S,
    nonce: `${new Date(world.nowMs).toISOString()}${world.digest(`nonce ${token}`, 22)}`,
  };
}

export function identify(world: World, authorization: string | undefined): Account {
  const token = world.store.get<Token>('token', (authorization ?? '').replace(/^Bearer /, ''));
  const account = token && world.store.get<Account>('account', token.account);
  if (!token || !account || account.clientSecret !== token.secret || token.untilMs <= world.nowMs)
    throw isUnauthorised('invalid_token', 'Token signature verification failed');
  return account;
}
