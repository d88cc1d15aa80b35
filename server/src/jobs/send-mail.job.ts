import { sendMail } from '../flows/send-mail.ts';
import type { Job } from './worker.ts';

/** Reference: a queued mail. */
export const sendMailJob: Job = sendMail;
