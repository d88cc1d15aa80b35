import type { Row } from '../../db/schema.ts';

/** An attempt with the body that was sent (null when the event is gone) and what it was sent again for. */
export type AttemptRow = Row<'webhookAttempts'> & {
  body: string | null;
  resendOf: string | null;
};
