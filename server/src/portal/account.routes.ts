/** A buyer's own account: its address, password, copy and end. Each asks for a fresh proof of the buyer's own. */
import { invalidField, Refusal } from '../domain/errors.ts';
import { checkEmailCode, confirmEmailChange } from '../flows/portal/confirm-email-change.ts';
import { findPortalUrl } from '../flows/portal/portal-address.ts';
import { requestDeletion, takeBackDeletion } from '../flows/portal/request-deletion.ts';
import { requestEmailChange } from '../flows/portal/request-email-change.ts';
import { requestOwnExport } from '../flows/portal/write-own-export.ts';
import { changeUser, hashGivenPassword } from '../flows/users/edit-user.ts';
import { buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import {
  ChangeEmail,
  ChangePassword,
  ConfirmEmail,
  PortalDeletionData,
  PortalExportData,
  toOwnDeletion,
  toOwnExport,
} from '../resources/portal/account.schema.ts';
import { NoBody } from '../resources/portal/bought.schema.ts';
import { findOwnExport } from '../resources/portal/own-exports.queries.ts';
import { BuyerSessionData, SentData, toBuyerSession } from '../resources/portal/portal.schema.ts';
import { findNumber } from './find-number.ts';

const askEmail = buyerWrite({
  method: 'POST',
  path: '/v0/portal/email/request',
  operationId: 'requestPortalEmail',
  tag: 'portal',
  summary: 'Ask to be reached at another address',
  description:
    'A code goes to the new mailbox and a note to the old one, which may say no for 7 days. Answered alike whoever has the address.',
  needsFreshProof: 'own',
  body: ChangeEmail,
  data: SentData,
  errors: ['feature_disabled', 'rate_limited'],
  example: { email: 'ada@new.example' },
  handler: async ({ ctx, tx, scope, body: { email, language }, buyer: { user, settings } }) => {
    if (!settings.portal.emailChange) throw new Refusal('feature_disabled');
    await requestEmailChange(ctx, scope, {
      tx,
      user,
      email,
      language: language ?? user.language ?? settings.checkout.defaultLanguage ?? 'en',
    });
    return { sent: true as const };
  },
});

const confirmEmail = buyerWrite({
  method: 'POST',
  path: '/v0/portal/email/confirm',
  operationId: 'confirmPortalEmail',
  tag: 'portal',
  summary: 'Take a new address by its code',
  description: 'All other sessions of this buyer end. Five wrong codes void it.',
  body: ConfirmEmail,
  data: BuyerSessionData,
  errors: ['code_invalid', 'email_taken', 'rate_limited'],
  example: { code: '12345678' },
  checkOutside: ({ ctx, scope, body: { code = null, token = null }, buyer, client: { addressKey } }) => {
    if ((code === null) === (token === null)) throw invalidField('code', 'or token is needed');
    const given = { userId: buyer.user.id, code: code?.replaceAll(' ', '') ?? null, token, addressKey };
    return checkEmailCode(ctx, scope, given);
  },
  handler: async ({ ctx, tx, scope, buyer, outside: change, audit }) => {
    const { session } = buyer;
    const { before, after } = await confirmEmailChange(ctx, scope, { tx, change, sessionId: session.id });
    audit({ email: before.email }, before.id);
    const subscriptionNumber = await findNumber({ db: tx }, scope, session.subscriptionId);
    const shown = { ...buyer, user: after, subscriptionNumber, nowMs: ctx.realNowMs() };
    return { session: toBuyerSession(shown) };
  },
});

const changePassword = buyerWrite({
  method: 'PATCH',
  path: '/v0/portal/password',
  operationId: 'updatePortalPassword',
  tag: 'portal',
  summary: 'Set a password, or take it away',
  description: 'All other sessions of this buyer end. The way in by a code stays.',
  needsFreshProof: 'own',
  body: ChangePassword,
  data: BuyerSessionData,
  errors: ['feature_disabled'],
  example: { password: 'Seven7%seas' },
  // It takes long, and is not kept.
  answersSecret: true,
  checkOutside: ({ body: { password }, buyer: { settings } }) => {
    if (password !== null && !settings.portal.passwordSignIn) throw new Refusal('feature_disabled');
    return hashGivenPassword(password);
  },
  handler: async ({ ctx, tx, scope, buyer, outside: passwordHash, audit }) => {
    const { session, user } = buyer;
    const { after } = await changeUser(ctx, scope, {
      ...{ tx, id: user.id, keptSessionId: session.id },
      ...{ input: {}, passwordHash },
    });
    const nowMs = ctx.realNowMs();
    audit({ hasPassword: user.passwordHash !== null }, user.id);
    const subscriptionNumber = await findNumber({ db: tx }, scope, session.subscriptionId);
    return { session: toBuyerSession({ ...buyer, user: after, subscriptionNumber, nowMs }) };
  },
});

const askExport = buyerWrite({
  method: 'POST',
  path: '/v0/portal/export',
  operationId: 'requestPortalExport',
  tag: 'portal',
  summary: 'Ask for a copy of all that the shop has of this buyer',
  description: 'One JSON, written by a job and kept for 7 days.',
  needsFreshProof: 'own',
  body: NoBody,
  data: PortalExportData,
  example: {},
  handler: async ({ ctx, tx, scope, buyer: { user } }) => {
    const row = await requestOwnExport(ctx, scope, { tx, userId: user.id });
    const url = await findPortalUrl({ ...ctx, db: tx }, scope, EXPORT_PATH);
    return { export: toOwnExport(row, { url, nowMs: ctx.realNowMs() }) };
  },
});

const EXPORT_PATH = '/export.json';

const getExport = buyerRead({
  method: 'GET',
  path: '/v0/portal/export',
  operationId: 'getPortalExport',
  tag: 'portal',
  summary: 'Get how far the copy is, and where it is',
  data: PortalExportData,
  handler: async ({ ctx, db, scope, buyer: { user } }) => {
    const row = await findOwnExport(db, scope, { userId: user.id });
    const url = await findPortalUrl(ctx, scope, EXPORT_PATH);
    return { export: toOwnExport(row, { url, nowMs: ctx.realNowMs() }) };
  },
});

const askDeletion = buyerWrite({
  method: 'POST',
  path: '/v0/portal/deletion',
  operationId: 'requestPortalDeletion',
  tag: 'portal',
  summary: 'Ask to be erased',
  description:
    'It can be taken back for 14 days, and then for as long as the shop has not agreed to it: after 30 days it has.',
  needsFreshProof: 'own',
  body: NoBody,
  data: PortalDeletionData,
  errors: ['subscription_running'],
  example: {},
  handler: async ({ ctx, tx, scope, buyer: { user, settings }, audit }) => {
    audit(toOwnDeletion(user), user.id);
    const isAutomatic = settings.portal.deletion === 'automatic';
    const asked = await requestDeletion(ctx, scope, { tx, userId: user.id, isAutomatic });
    return { deletion: toOwnDeletion(asked) };
  },
});

const takeBack = buyerWrite({
  method: 'DELETE',
  path: '/v0/portal/deletion',
  operationId: 'deletePortalDeletion',
  tag: 'portal',
  summary: 'Take back that this buyer is to be erased',
  needsFreshProof: 'own',
  body: NoBody,
  data: PortalDeletionData,
  example: {},
  handler: async ({ tx, scope, buyer: { user }, audit }) => {
    audit(toOwnDeletion(user), user.id);
    return { deletion: toOwnDeletion(await takeBackDeletion(scope, { tx, userId: user.id })) };
  },
});

export const accountRoutes: Route[] = [
  askEmail,
  confirmEmail,
  changePassword,
  askExport,
  getExport,
  askDeletion,
  takeBack,
];
