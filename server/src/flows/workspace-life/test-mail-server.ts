/** A mail to whoever asks, so that they see whether the mail server takes any. */
import type { Service } from '../../context.ts';
import { Refusal } from '../../domain/errors.ts';

const TIMEOUT_MS = 15_000;

/** Answers what the server said. Throws mail_server_missing. */
export async function testMailServer(
  { mail, config, ids }: Service,
  { to, nowMs }: { to: string; nowMs: number },
): Promise<{ outcome: 'sent' | 'refused' | 'failed'; detail: string | null }> {
  if (mail === null) throw new Refusal('mail_server_missing');
  const { hostname } = new URL(config.publicUrl);
  const text = `This is a test from ${config.publicUrl}. The mail server takes mails.`;
  const outcome = await mail.send(
    {
      messageId: `<${ids.next(nowMs)}@${hostname}>`,
      from: { name: hostname, address: config.mailFrom },
      to,
      replyTo: null,
      subject: `Test of ${hostname}`,
      html: `<p>${text}</p>`,
      plain: text,
      dateMs: nowMs,
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return { outcome: outcome.kind, detail: outcome.kind === 'sent' ? null : outcome.detail };
}
