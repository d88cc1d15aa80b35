import { sendMails } from '../flows/send-mail.ts';
import type { GroupJob } from './worker.ts';

/** References: queued mails of one store. */
export const sendMailsJob: GroupJob = sendMails;
