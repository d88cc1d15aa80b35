/** Mails over SMTP, one connection for each: a try ends with its connection, whatever the server does. */
import { createTransport } from 'nodemailer';
import type { MailOutcome, MailProvider, OutgoingMail } from './mail-provider.ts';

const DETAIL_MAX = 500;
/** Hosts of this machine: what is said to them crosses no network. */
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i;

/** `url` is `smtp://` (STARTTLS where the server offers it) or `smtps://`, with user and password in it. */
export function createSmtp({ url }: { url: string }): MailProvider {
  return {
    send: (mail, { timeoutMs }) => send(url, mail, timeoutMs),
    close: async () => {},
  };
}

async function send(url: string, mail: OutgoingMail, timeoutMs: number): Promise<MailOutcome> {
  const transport = createTransport({
    url: withoutGuards(url),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    requireTLS: needsTls(url),
    // Without a password nothing is lost to a stranger's certificate that plain text would keep.
    tls: { rejectUnauthorized: hasSecret(url) },
    // The texts are ours: nothing in them is to be read from a file or fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<MailOutcome>((resolve) => {
    timer = setTimeout(() => {
      // A server that sends a byte now and then would hold the connection for ever.
      transport.close();
      resolve({ kind: 'failed', code: 'ETIMEDOUT', detail: `no answer within ${timeoutMs} ms` });
    }, timeoutMs);
  });
  try {
    return await Promise.race([
      late,
      transport.sendMail(toMessage(mail)).then(() => ({ kind: 'sent' }) as const),
    ]);
  } catch (error) {
    return toOutcome(error);
  } finally {
    clearTimeout(timer);
    transport.close();
  }
}

/** A password leaves this machine over TLS, or not at all: a server that offers none is not told it. */
export function needsTls(url: string): boolean {
  const { protocol, password, hostname } = new URL(url);
  return protocol === 'smtp:' && password !== '' && !LOOPBACK.test(hostname);
}

/** What the options below say: a query would win over them, and send the password in plain text. */
const GUARDS = ['requireTLS', 'ignoreTLS', 'disableFileAccess', 'disableUrlAccess'];

function withoutGuards(url: string): string {
  const given = new URL(url);
  for (const name of GUARDS) given.searchParams.delete(name);
  return given.href;
}

function hasSecret(url: string): boolean {
  const { protocol, password } = new URL(url);
  return protocol === 'smtps:' || password !== '';
}

function toMessage(mail: OutgoingMail) {
  return {
    messageId: mail.messageId,
    date: new Date(mail.dateMs),
    from: mail.from,
    to: { name: '', address: mail.to },
    ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
    subject: mail.subject,
    text: mail.plain,
    html: mail.html,
    // Holiday notices and the like are not answers that anyone here reads.
    headers: {
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'All',
      ...(mail.stopUrl && {
        'list-unsubscribe': `<${mail.stopUrl}>`,
        'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** A 5xx about recipient or content is for good; about signing in or the sender it is the operator's to mend. */
function toOutcome(error: unknown): MailOutcome {
  const { code, command, responseCode, message } = error as {
    code?: string;
    command?: string;
    responseCode?: number;
    message?: string;
  };
  const isAboutMail = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  // Without an answer's code it was not even offered to the server: an address that is none.
  const isForGood = isAboutMail && (responseCode === undefined || responseCode >= 500);
  const detail = String(message ?? error).slice(0, DETAIL_MAX);
  if (isForGood) return { kind: 'refused', detail };
  return { kind: 'failed', detail, ...(code === undefined ? {} : { code }) };
}
