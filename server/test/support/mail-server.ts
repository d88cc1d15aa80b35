/** A mail server that tests hand mails to: real SMTP over loopback, every mail read by an independent parser. */
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An answer other than "taken": 4xx = not now, 5xx = never. */
export interface No {
  code: number;
  message: string;
}

export interface MailServer {
  url: string;
  /** What arrived, refused or not, in its order. */
  received: Email[];
  /** Set them to refuse: a recipient, or a mail after its text. */
  refuseRecipient: (address: string) => No | null;
  refuseMail: (mail: Email) => No | null | Promise<No | null>;
  close(): Promise<void>;
}

export async function startMailServer(): Promise<MailServer> {
  const received: Email[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => callback(toError(mailServer.refuseRecipient(address))),
    onData: (stream, _session, callback) => {
      readMail(stream)
        .then(async (mail) => {
          received.push(mail);
          callback(toError(await mailServer.refuseMail(mail)));
        })
        .catch(callback);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port, not a pipe.
  const { port } = server.server.address() as AddressInfo;
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseRecipient: () => null,
    refuseMail: () => null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return mailServer;
}

async function readMail(stream: AsyncIterable<Buffer>): Promise<Email> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return PostalMime.parse(Buffer.concat(parts));
}

function toError(no: No | null): Error | null {
  return no === null ? null : Object.assign(new Error(no.message), { responseCode: no.code });
}
