/** Cancellation notices in the API. */
import { type Static, Type } from 'typebox';
import { NOTICE_STATUSES, NOTICE_TYPES } from '../../domain/consumer/notice.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Lines,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { NoticeRow } from './notices.queries.ts';

export const CancellationNotice = Answer('CancellationNotice', {
  object: StringEnum(['cancellation_notice']),
  id: Uuid(),
  number: Type.String(),
  type: StringEnum(NOTICE_TYPES),
  statedReason: Nullable(Type.String({ description: 'Of a cancellation for cause.' })),
  name: Type.String(),
  email: Type.String(),
  contractNumber: Type.String({ description: 'As it was typed.' }),
  endDate: Nullable(Ms({ description: 'When the contract is to end; null = as early as possible.' })),
  source: StringEnum(['page', 'portal'], {
    description: 'Whether it was stated on the open page or in the portal.',
  }),
  receivedAt: Ms(),
  acknowledgedAt: Nullable(Ms({ description: 'When the receipt was mailed to the address given.' })),
  subscriptionId: Nullable(Type.String({ description: 'Null while it names no contract of its sender’s.' })),
  userId: Nullable(Uuid()),
  status: StringEnum(NOTICE_STATUSES),
  sha256: Type.String({ description: 'Of the canonical JSON (RFC 8785) of what was stated.' }),
});

export const StateNotice = Body({
  store: Text(40, { description: 'The portal’s name in its address.' }),
  testMode: Type.Optional(Type.Boolean()),
  type: StringEnum(NOTICE_TYPES),
  reason: Type.Optional(Nullable(Lines(2000, { description: 'Of a cancellation for cause.' }))),
  name: Text(200),
  email: Text(320),
  contractNumber: Text(100, {
    description: 'The number of the order or subscription, as the buyer knows it.',
  }),
  endDate: Type.Optional(
    Nullable(
      TimeInput({ description: 'When the contract is to end (Unix ms); null: as early as possible.' }),
    ),
  ),
  language: Type.Optional(Nullable(Text(20))),
});
export const StatedNoticeData = Answer(null, {
  notice: Component(CancellationNotice),
  confirmationUrl: Type.String({ description: 'Where the confirmation opens as a PDF.' }),
});

export const DecideNotice = Body({
  id: Type.Optional(Uuid()),
  accept: Type.Boolean({ description: 'Whether the contract is cancelled.' }),
  subscriptionId: Type.Optional(Nullable(Text(50, { description: 'Of one that is unmatched.' }))),
  note: Type.Optional(Nullable(Lines(500, { minLength: 1, description: 'For the buyer, who is mailed.' }))),
});
export const NoticeData = Answer(null, { notice: Component(CancellationNotice) });

export const ListNotices = Type.Object({
  ...pageQuery,
  ...statusQuery(NOTICE_STATUSES),
  types: Type.Optional(Type.Array(StringEnum(NOTICE_TYPES), { maxItems: 2 })),
  userId: Type.Optional(Uuid()),
  dueFrom: Type.Optional(
    TimeInput({ description: 'To be decided at this moment or later: 14 days after it came.' }),
  ),
  dueTo: Type.Optional(TimeBoundTo({ description: 'To be decided at this moment or earlier.' })),
  term: Type.Optional(
    Type.String({ maxLength: 320, description: 'Its number, the contract’s as typed, or the e-mail.' }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});
export const NoticesData = Answer(null, {
  notices: Type.Array(Component(CancellationNotice)),
  ...pageAnswer,
});

export function toNotice(row: NoticeRow): Static<typeof CancellationNotice> {
  return {
    object: 'cancellation_notice',
    id: row.id,
    number: row.number,
    type: row.type,
    statedReason: row.statedReason,
    name: row.name,
    email: row.email,
    contractNumber: row.contractNumber,
    endDate: row.endDate,
    source: row.source,
    receivedAt: row.receivedAt,
    acknowledgedAt: row.acknowledgedAt,
    subscriptionId: row.subscriptionNumber,
    userId: row.userId,
    status: row.status,
    sha256: row.sha256,
  };
}

/** What whoever stated it is answered: the same whether the number is anybody's or not. */
export function toOpenNotice(row: NoticeRow): Static<typeof CancellationNotice> {
  const hidden = { subscriptionId: null, userId: null, acknowledgedAt: null };
  return { ...toNotice(row), ...hidden, status: 'received' };
}
