import type { MailOutcome } from './mail-provider.ts';

/**
 * Why a mail was not sent, as an error: the log tells one cause once for many. Where in the code it was met says nothing.
 */
export function toUnsentError(outcome: Exclude<MailOutcome, { kind: 'sent' }>): Error {
  const { detail } = outcome;
  const code = 'code' in outcome ? outcome.code : undefined;
  const err = Object.assign(new Error(detail), code === undefined ? {} : { code });
  delete err.stack;
  return err;
}
