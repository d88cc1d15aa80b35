/** Codes and words of links: made from a row's id and a secret, so that the row tells nobody what opens it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/database.ts';
import { CODE_DIGITS } from '../../domain/portal/session-life.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

export interface Words {
  /** Typed by whoever reads the mailbox. */
  code: string;
  /** Stands in the link of the same mail. */
  link: string;
}

/** `purpose` keeps what opens one thing from opening another. */
export async function deriveWords(db: Db, { purpose, id }: { purpose: string; id: string }): Promise<Words> {
  const secret = Buffer.from(await getInstallationSecret(db, 'signed-links'), 'hex');
  const mac = (what: string) =>
    createHmac('sha256', secret).update(`portal ${purpose} ${what}\n${id}`).digest();
  const number = mac('code').readBigUInt64BE() % 10n ** BigInt(CODE_DIGITS);
  return { code: String(number).padStart(CODE_DIGITS, '0'), link: mac('link').toString('base64url') };
}

/** Takes as long whatever was typed. */
export function isSameWord(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
