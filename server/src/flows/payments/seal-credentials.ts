/** What lets us into an account of a processor, as it is kept: sealed for the one connection that it belongs to. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Sealing } from '../../net/sealing.ts';

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

/** Null where there is none yet, or it was given up. Throws processor_unreachable. */
export function openNotificationSecret(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, secret }: Pick<Row<'processorEndpoints'>, 'id' | 'secret'>,
): string | null {
  return secret === null ? null : openOwn(sealing, secret, toNotificationPlace(scope, id));
}

/**
 * No process starts without a key in use: one that meets another's has not been told of a new one yet, while those beside
 * it have. For it nobody can be asked now; to ask without credentials would get the account called broken.
 */
function openOwn(sealing: Sealing, sealed: string, place: readonly string[]): string | null {
  if (sealing.isForeign(sealed)) throw new Refusal('processor_unreachable');
  return sealing.open(sealed, place);
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

/** Null where there are none, or they were given up. Throws processor_unreachable. */
export function openCredentials(
  { sealing }: Pick<Context, 'sealing'>,
  scope: Scope,
  { id, credentials }: Pick<Row<'processors'>, 'id' | 'credentials'>,
): Readonly<Record<string, string>> | null {
  const text = credentials === null ? null : openOwn(sealing, credentials, toPlace(scope, id));
  // Sealed here, of strings alone.
  return text === null ? null : (JSON.parse(text) as Record<string, string>);
}
