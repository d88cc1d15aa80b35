/** Mails of live mode as they are kept: what opens something was for their readers alone. */

export const MASK = '••••';

/** Parts of a mail's params that let somebody in. */
const SECRET_PARAMS = new Set(['code', 'url', 'undoUrl']);

export function maskSecrets(params: Record<string, unknown>): Record<string, unknown> {
  const masked = Object.entries(params).map(([name, value]) => [
    name,
    SECRET_PARAMS.has(name) ? MASK : value,
  ]);
  return Object.fromEntries(masked);
}

/** The words behind which a stored card is charged, a withdrawal stopped, a subscription kept, a checkout gone on with. */
const PROOF = /(\/(?:prove|object|keep|stop)\/|svc-resume=)[\w.-]+/g;

/** In a letter as it is kept. */
export function maskLinks(letter: string): string {
  return letter.replace(PROOF, `$1${MASK}`);
}
