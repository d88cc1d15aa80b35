/** What the doors of accounts share: what flows are given, and what a browser is told afterwards. */
import { assert } from '../domain/assert.ts';
import { sendAccountMails } from '../flows/accounts/send-account-mails.ts';
import type { SignedIn } from '../flows/accounts/sign-in.ts';
import type { AccountRequest } from '../http/route.ts';
import {
  findSession,
  findSessionById,
  type StandingSession,
} from '../resources/accounts/account-sessions.queries.ts';
import { findFactors } from '../resources/accounts/accounts.queries.ts';
import { toAccount, toSession } from '../resources/accounts/accounts.schema.ts';
import { hashToken } from '../resources/accounts/tokens.ts';

export type AnyRequest = AccountRequest<unknown, unknown, unknown, unknown>;
export type OwnRequest = AccountRequest<unknown, unknown, unknown, StandingSession>;

/** What the flows of accounts are given. */
export function contextOf({ service, nowMs }: Pick<AnyRequest, 'service' | 'nowMs'>) {
  const { db, ids, config, log, mail, sealing } = service;
  const forgetFirstPassword = (ownerEmail: string) => service.forgetFirstPassword(ownerEmail);
  return { db, ids, config, log, mail, sealing, nowMs, forgetFirstPassword };
}

/** Letters that the request has caused go out after its answer: how long that takes tells nobody anything. */
export function sendSoon({ service }: Pick<AnyRequest, 'service'>): void {
  const { db, ids, config, log, mail } = service;
  const realNowMs = () => service.realNowMs();
  void sendAccountMails({ db, ids, config, log, mail, realNowMs }).catch((error: unknown) =>
    log.warn({ err: error }, 'letters to accounts could not be sent'),
  );
}

/** Tells the browser what it has become, and answers it. */
export async function answerSignIn(request: AnyRequest, signedIn: SignedIn) {
  const { client, forget } = request;
  if (signedIn.kind === 'second factor') {
    client.setCookie('pending', signedIn.pendingToken);
    return { session: null, secondFactor: signedIn.asked };
  }
  const { opened, deviceWord, accountId } = signedIn;
  forget(accountId);
  const session = await answerSession(request, opened.token);
  client.setCookie('device', deviceWord);
  if (client.cookie('pending') !== null) client.setCookie('pending', null);
  return { session, secondFactor: null };
}

/** A session under a new token. */
export async function answerSession(request: AnyRequest, token: string) {
  const { service, nowMs, client } = request;
  client.setCookie('session', token);
  const session = await findSession(service.db, hashToken(token));
  assert(session, 'a session that was just written is there');
  const factors = await findFactors(service.db, session.accountId);
  return toSession(session, { factors, nowMs });
}

/** After a change of one's own account: it, and where a factor changed the session's new token. */
export async function answerAccount(request: OwnRequest, token: string | null) {
  const { service, session, forget } = request;
  forget(session.accountId);
  sendSoon(request);
  if (token !== null) {
    const { account } = await answerSession(request, token);
    return account;
  }
  const current = await findSessionById(service.db, session.sessionId);
  assert(current, 'the session that asks is there');
  return toAccount(current, await findFactors(service.db, current.accountId));
}
