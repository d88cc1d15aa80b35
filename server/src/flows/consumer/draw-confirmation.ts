/** The confirmation of what was stated, as a PDF: its content, and when it came in to the second. */
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { nameTicked } from '../../domain/consumer/withdrawal.ts';
import { Refusal } from '../../domain/errors.ts';
import { createWriter, type Writer } from '../../domain/mails/writer.ts';
import { toSettings } from '../../domain/settings.ts';
import { findNoticeByToken, type NoticeRow } from '../../resources/consumer/notices.queries.ts';
import { findWithdrawalByToken, type WithdrawalRow } from '../../resources/consumer/withdrawals.queries.ts';
import { findWithdrawnOrder } from '../../resources/consumer/withdrawn-order.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

export interface Confirmation {
  fileName: string;
  bytes: Uint8Array;
}

/** Throws not_found for a token that is not exactly a statement's of this store. */
export async function drawConfirmation(service: Service, scope: Scope, token: string): Promise<Confirmation> {
  const { db } = service;
  const withdrawal = await findWithdrawalByToken(db, scope, token);
  const notice = withdrawal ? undefined : await findNoticeByToken(db, scope, token);
  const statement = withdrawal ?? notice;
  if (!statement) throw new Refusal('not_found');
  const store = await getStore(db, scope);
  const writer = createWriter(statement.language);
  const kind = withdrawal ? 'withdrawal_received' : 'notice_received';
  const seller = toSettings(store.settings).seller.name ?? store.name;
  const bytes = await service.documents.drawLetter({
    language: writer.language,
    from: seller,
    title: writer.text(`${kind}.title`),
    sentences: [
      writer.text(kind === 'withdrawal_received' ? 'confirmation.withdrawal' : 'confirmation.notice', {
        seller,
      }),
    ],
    facts: withdrawal
      ? listWithdrawalFacts(writer, withdrawal, await nameItems(db, scope, withdrawal))
      : notice
        ? listNoticeFacts(writer, notice)
        : [],
    banner: scope.testMode ? writer.text('footer.testMode') : null,
    at: statement.receivedAt,
  });
  return { fileName: `${statement.number}.pdf`, bytes };
}

/** What a buyer ticked who was signed in; an order's names are never changed. */
async function nameItems(db: Db, scope: Scope, { orderId, items }: WithdrawalRow): Promise<string | null> {
  if (orderId === null || items === null) return null;
  const order = await findWithdrawnOrder(db, scope, { id: orderId });
  return nameTicked(order?.items ?? [], items);
}

function listWithdrawalFacts(writer: Writer, row: WithdrawalRow, items: string | null) {
  return [
    { label: writer.text('label.number'), value: row.number },
    { label: writer.text('label.received'), value: writer.moment(row.receivedAt) },
    { label: writer.text('label.name'), value: row.name },
    { label: writer.text('label.email'), value: row.email },
    { label: writer.text('label.order'), value: row.orderNumber },
    ...[items, row.part].flatMap((value) =>
      value === null ? [] : [{ label: writer.text('label.part'), value }],
    ),
  ];
}

function listNoticeFacts(writer: Writer, row: NoticeRow) {
  const end = row.endDate === null ? writer.text('notice_received.earliest') : writer.date(row.endDate);
  return [
    { label: writer.text('label.number'), value: row.number },
    { label: writer.text('label.received'), value: writer.moment(row.receivedAt) },
    { label: writer.text('label.kind'), value: writer.text(`notice_received.type.${row.type}`) },
    ...(row.statedReason === null
      ? []
      : [{ label: writer.text('label.statedReason'), value: row.statedReason }]),
    { label: writer.text('label.name'), value: row.name },
    { label: writer.text('label.email'), value: row.email },
    { label: writer.text('label.contract'), value: row.contractNumber },
    { label: writer.text('label.endDate'), value: end },
  ];
}
