/** The receipt of a statement, which is no acceptance: to the address that was given, and to the mailbox of the contract. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { toPortalPath } from '../../domain/consumer/legal-paths.ts';
import { toEmailNormal } from '../../domain/email.ts';
import type { MailParams } from '../../domain/mails/kinds.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { countLimited } from '../limits/count-limited.ts';
import { type NewMail, queueMails } from '../outbox/queue-mail.ts';

interface Acknowledging {
  tx: Tx;
  /** Of the contract that the number names, if it names one. */
  orderEmail: string | null;
  /** Whether the contract's mailbox may say that it was not theirs, or take it back. */
  hasLink: boolean;
}

export type Acknowledged =
  | { kind: 'withdrawal_received'; statement: Row<'withdrawals'>; items: string | null }
  | { kind: 'notice_received'; statement: Row<'cancellationNotices'> };

/** Y12: one to another address than the contract's is held back where it has had many, whoever typed it. */
export async function acknowledge(ctx: Step, scope: Scope, ack: Acknowledging & Acknowledged): Promise<void> {
  const { tx, statement, orderEmail, hasLink } = ack;
  const { portalSlug } = await getStore(tx, scope);
  const path = `${toPortalPath({ portalSlug, testMode: scope.testMode })}/statements/${statement.token}.pdf`;
  const confirmationUrl = `${ctx.config.publicUrl}${path}`;
  const toMail = (to: string, hasOwnLink: boolean): NewMail => ({
    ...toWritten(ack, { confirmationUrl, hasLink: hasOwnLink }),
    ...{ to, language: statement.language, key: `${ack.kind}:${statement.id}`, at: ctx.nowMs },
  });
  const isSame = orderEmail !== null && toEmailNormal(orderEmail) === toEmailNormal(statement.email);
  const isHeldBack = !isSame && !(await takeAcknowledgement(ctx, scope, { tx, to: statement.email }));
  await queueMails(tx, scope, ctx.ids, [
    { ...toMail(statement.email, hasLink && isSame), isHeldBack },
    ...(orderEmail === null || isSame ? [] : [toMail(orderEmail, hasLink)]),
  ]);
}

async function takeAcknowledgement(
  ctx: Step,
  scope: Scope,
  { tx, to }: { tx: Tx; to: string },
): Promise<boolean> {
  const limited = [{ limit: 'acknowledgement_by_mailbox' as const, of: toEmailNormal(to) }];
  return countLimited(ctx, scope, { db: tx, limited });
}

interface Linking {
  confirmationUrl: string;
  hasLink: boolean;
}

type Written =
  | { kind: 'withdrawal_received'; params: MailParams['withdrawal_received'] }
  | { kind: 'notice_received'; params: MailParams['notice_received'] };

function toWritten(ack: Acknowledged, { confirmationUrl, hasLink }: Linking): Written {
  const { id: statementId, number, name, receivedAt: receivedAtMs } = ack.statement;
  const shared = { statementId, number, name, receivedAtMs, confirmationUrl };
  if (ack.kind === 'withdrawal_received') {
    const { orderNumber, part } = ack.statement;
    const { items } = ack;
    return { kind: ack.kind, params: { ...shared, orderNumber, part, items, canObject: hasLink } };
  }
  const { contractNumber, type, statedReason, endDate: endDateMs, status } = ack.statement;
  const canKeep = hasLink && status === 'done';
  return { kind: ack.kind, params: { ...shared, contractNumber, type, statedReason, endDateMs, canKeep } };
}
