/** The headers of one try of a delivery, whoever carries it to its receiver. */
import type { Step } from '../../context.ts';
import { USER_AGENT } from '../../net/user-agent.ts';
import { signWebhook, underAllNames } from '../../net/webhook-signature.ts';

export interface Signed {
  eventId: string;
  eventType: string;
  body: string;
  /** The number of the try. */
  sequence: number;
  secrets: readonly [string, ...string[]];
}

export function toDeliveryHeaders(
  { config, realNowMs }: Pick<Step, 'config' | 'realNowMs'>,
  { eventId: id, eventType, body, sequence, secrets }: Signed,
): Record<string, string> {
  const timestampS = Math.floor(realNowMs() / 1000);
  return underAllNames(
    {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-svc-event': eventType,
      'x-svc-attempt': String(sequence),
      ...signWebhook({ id, timestampS, body, secrets, sequence }),
    },
    config.nameAliases,
  );
}
