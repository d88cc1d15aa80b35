/** What lets us into an account of a processor, as it is kept: sealed for the one connection that it belongs to. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';

/** A value that was moved to another row does not open. */
function toPlace({ workspaceId, testMode }: Scope, connectionId: string): string[] {
  return [workspaceId, String(testMode), connectionId, 'credentials'];
}

/** Throws secrets_key_missing. The secret that signs what an endpoint is told. */
export function sealNotificationSecret(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, secret }: { id: string; secret: string },
): string {
  const sealed = sealing.seal(secret, toNotificationPlace(scope, id));
  if (sealed === null) throw new Refusal('secrets_key_missing');
  return sealed;
}

/** Null where there is none yet, or no key opens it. */
export function openNotificationSecret(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, secret }: Pick<Row<'processorEndpoints'>, 'id' | 'secret'>,
): string | null {
  return secret === null ? null : sealing.open(secret, toNotificationPlace(scope, id));
}

function toNotificationPlace({ workspaceId, testMode }: Scope, endpointId: string): string[] {
  return [workspaceId, String(testMode), endpointId, 'notification'];
}

/** Throws secrets_key_missing. */
export function sealCredentials(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, credentials }: { id: string; credentials: Readonly<Record<string, string>> },
): string {
  const sealed = sealing.seal(JSON.stringify(credentials), toPlace(scope, id));
  if (sealed === null) throw new Refusal('secrets_key_missing');
  return sealed;
}

/** Before anybody is asked about them. Throws secrets_key_missing. */
export function requireSealing({ sealing }: Pick<Context, 'sealing'>): void {
  if (!sealing.canSeal()) throw new Refusal('secrets_key_missing');
}

/** Null where there are none, or no key opens them. */
export function openCredentials(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, credentials }: Pick<Row<'processors'>, 'id' | 'credentials'>,
): Readonly<Record<string, string>> | null {
  const text = credentials === null ? null : sealing.open(credentials, toPlace(scope, id));
  // Sealed here, of strings alone.
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}
