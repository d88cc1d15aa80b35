import { sendMails } from '../flows/mails/send-mail.ts';
import type { GroupJob } from '../worker/worker.ts';

/** References: queued mails of one store. */
export const sendMailsJob: GroupJob = sendMails;
