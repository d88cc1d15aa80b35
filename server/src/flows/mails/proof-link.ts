/**
 * Links by which a payer proves to be the user whose card is stored: to the page of a payment, signed for the mailbox
 * that they are sent to, so that one to an address that the user has left opens nothing. Nothing is stored of a link
 * until it is opened.
 */
import type { Service } from '../../context.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { toShortId } from '../../domain/link-token.ts';
import { openLink, signLink } from '../../net/signed-link.ts';
import { getInstallationSecret } from '../../resources/installation/installation.queries.ts';

/**
 * A link in a mail of dunning opens for so long in real time: until the next such mail, at the longest. One that is
 * asked for opens for less.
 */
export const PROOF_LINK_MS = 7 * 24 * 3_600_000;

/** What a link is for: the page of a payment, and whose mailbox it is sent to. */
export interface ProofTerms {
  payToken: string;
  email: string;
}

interface NewProofLink extends ProofTerms {
  /** Tells this link from every other one: random, or of the one mail that it stands in. No dot. */
  name: string;
  /** Real time. */
  expiresAtMs: number;
}

type Signing = Pick<Service, 'db' | 'config'>;

/** The address of the page with the link. */
export async function createProofUrl(service: Signing, link: NewProofLink): Promise<string> {
  const { payToken, name, expiresAtMs } = link;
  const secret = await getInstallationSecret(service.db, 'signed-links');
  const token = signLink(secret, { purpose: toPurpose(link), opens: [name], expiresAtMs });
  return `${service.config.publicUrl}/pay/${payToken}/prove/${token}`;
}

/** Whether the link was sent to this mailbox for this payment, and is not too old. */
export async function isProofLink(
  service: Signing & Pick<Service, 'realNowMs'>,
  { link, ...terms }: ProofTerms & { link: string },
): Promise<boolean> {
  const secret = await getInstallationSecret(service.db, 'signed-links');
  return openLink(secret, link, { purpose: toPurpose(terms), nowMs: service.realNowMs() }).kind === 'open';
}

function toPurpose({ payToken, email }: ProofTerms): string {
  return `prove ${payToken} ${toEmailNormal(email)}`;
}

/** The address for the button of a mail of dunning, whose reader is then known to be the user. */
export async function toProvingUrl(
  service: Signing & Pick<Service, 'realNowMs'>,
  { id, recipient: email, payToken }: { id: string; recipient: string; payToken: string },
): Promise<string> {
  const expiresAtMs = service.realNowMs() + PROOF_LINK_MS;
  return createProofUrl(service, { payToken, email, name: toShortId(id), expiresAtMs });
}
