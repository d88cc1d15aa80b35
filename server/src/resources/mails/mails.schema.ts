/** Mails in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { toTexts } from '../../domain/mails/kept-letter.ts';
import { MAIL_KINDS } from '../../domain/mails/kinds.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import { Answer, Component, Ms, Nullable, StringEnum, TimeBoundTo, TimeInput, Uuid } from '../shapes.ts';

export const MAIL_STATUSES = ['queued', 'sent', 'kept', 'failed', 'dropped'] as const;

export const Mail = Answer('Mail', {
  object: StringEnum(['mail']),
  id: Uuid(),
  kind: Type.String({ description: `One of ${MAIL_KINDS.join(', ')}; new kinds may be added.` }),
  to: Type.String({ description: 'The address that it goes to.' }),
  from: Nullable(Type.String({ description: 'Name and address; null until the mail is written.' })),
  replyTo: Nullable(Type.String()),
  subject: Nullable(
    Type.String({ description: 'Null until the mail is written, moments after it is queued.' }),
  ),
  html: Nullable(
    Type.String({
      description:
        'Null until it is written. In live mode codes, links and tokens stand as dots, so that nobody who reads mails gets in by one.',
    }),
  ),
  text: Nullable(Type.String({ description: 'The plain-text twin.' })),
  language: Type.String(),
  status: StringEnum(MAIL_STATUSES, {
    description:
      'kept: it is read here, since there is no mail server, or too many of its kind were asked for with its address (see lastError). failed: given up, see lastError. dropped: not to be sent any more.',
  }),
  attempts: Type.Integer({ description: 'Tries at the mail server.' }),
  lastError: Nullable(Type.String()),
  eventId: Nullable(Uuid()),
  orderId: Nullable(Uuid()),
  paymentId: Nullable(Uuid()),
  testMode: Type.Boolean(),
  createdAt: Ms(),
  sentAt: Nullable(Ms()),
  expiredAt: Nullable(Ms({ description: 'When its texts were let go.' })),
});

export const MailParams = Type.Object({ mailId: Uuid() });
export const ListMails = Type.Object({
  ...pageQuery,
  kinds: Type.Optional(Type.Array(StringEnum(MAIL_KINDS), { maxItems: 100 })),
  kind: Type.Optional(Type.Array(StringEnum(MAIL_KINDS), { maxItems: 100 })),
  ...statusQuery(MAIL_STATUSES),
  recipient: Type.Optional(Type.String({ maxLength: 320, description: 'The whole address.' })),
  term: Type.Optional(Type.String({ maxLength: 320, description: 'Part of the address or of the subject.' })),
  orderId: Type.Optional(Uuid()),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  returnCount: Type.Optional(Type.Boolean()),
});

export const MailAnswer = Answer(null, { mail: Component(Mail) });
export const MailsAnswer = Answer(null, { mails: Type.Array(Component(Mail)), ...pageAnswer });

/** `mailFrom` is the address that mails come from. */
export function toMail(row: Row<'mails'>, mailFrom: string): Static<typeof Mail> {
  const { html, plain } = toTexts(row);
  return {
    object: 'mail',
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    from: row.sender === null ? null : `${row.sender} <${mailFrom}>`,
    replyTo: row.replyTo,
    subject: row.subject,
    html,
    text: plain,
    language: row.language,
    status: row.status,
    attempts: row.attempts,
    lastError: row.lastError,
    eventId: row.eventId,
    orderId: row.orderId,
    paymentId: row.paymentId,
    testMode: row.testMode,
    createdAt: row.createdAt,
    sentAt: row.sentAt,
    expiredAt: row.expiredAt,
  };
}
