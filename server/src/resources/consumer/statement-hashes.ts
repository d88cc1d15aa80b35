/** The hashes by which anybody can see that a statement is still what it was. */
import { createHash } from 'node:crypto';
import { type ConsentStatement, writeConsent } from '../../domain/consumer/consent.ts';
import { type NoticeStatement, writeNotice } from '../../domain/consumer/notice.ts';
import { type WithdrawalStatement, writeWithdrawal } from '../../domain/consumer/withdrawal.ts';

const toSha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex');

export const hashConsent = (stated: ConsentStatement) => toSha256(writeConsent(stated));
export const hashWithdrawal = (stated: WithdrawalStatement) => toSha256(writeWithdrawal(stated));
export const hashNotice = (stated: NoticeStatement) => toSha256(writeNotice(stated));
