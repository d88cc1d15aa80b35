/**
 * "This was not me": the mailbox of before stops a change of the address, or takes it back. Whoever asked for it was let in
 * somehow, so that everybody is signed out and the password goes.
 */
import type { Context, Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { insertAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';
import {
  type EmailChangeRow,
  findEmailChange,
  stopEmailChanges,
} from '../../resources/portal/email-changes.queries.ts';
import { revokeSessionsOf } from '../../resources/portal/portal-sessions.queries.ts';
import { changeUser } from '../users/edit-user.ts';

type Signing = Pick<Service, 'db' | 'realNowMs'>;

const toPurpose = ({ workspaceId, testMode }: Scope) => `portal email ${workspaceId} ${testMode}`;

export async function signUndoLink(
  { db }: Pick<Signing, 'db'>,
  scope: Scope,
  { id, endsAt: expiresAtMs }: EmailChangeRow,
): Promise<string> {
  const secret = await getInstallationSecret(db, 'signed-links');
  return signLink(secret, { purpose: toPurpose(scope), opens: [id], expiresAtMs });
}

/** The change that a mailed link is about. Throws not_found for a link that opens nothing. */
export async function findUndoable(service: Signing, scope: Scope, link: string): Promise<EmailChangeRow> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const opened = openLink(secret, link, { purpose: toPurpose(scope), nowMs: service.realNowMs() });
  const id = opened.kind === 'open' ? opened.opens[0] : undefined;
  const row = id === undefined ? undefined : await findEmailChange(service.db, scope, id);
  if (!row) throw new Refusal('not_found');
  return row;
}

/** Pressed again nothing more happens. Throws not_found, and email_taken where somebody else has the address by now. */
export async function undoEmailChange(
  ctx: Context,
  scope: Scope,
  { link, requestId }: { link: string; requestId: string },
): Promise<void> {
  const { id, userId, createdAt, oldEmail: email } = await findUndoable(ctx, scope, link);
  const nowMs = ctx.realNowMs();
  await inTransaction(ctx.db, async (tx) => {
    const stopped = await stopEmailChanges(tx, scope, { userId, createdAt, nowMs });
    if (!stopped.some((one) => one.id === id)) return;
    const isChanged = stopped.some(({ changedAt }) => changedAt !== null);
    const input = isChanged ? { email } : {};
    const { before, after } = await changeUser(ctx, scope, { tx, id: userId, input, passwordHash: null });
    await revokeSessionsOf(tx, scope, { userId, exceptId: null, nowMs });
    await insertAuditEntry(tx, scope, {
      id: ctx.ids.next(ctx.nowMs),
      actor: `user:${userId}`,
      operation: 'undoPortalEmail',
      objectId: userId,
      before: { email: before.email },
      after: { email: after.email },
      requestId,
      createdAt: ctx.nowMs,
    });
  });
}
