/** Whether a mail server greets: it is asked nothing, and told nothing. */
import net from 'node:net';
import tls from 'node:tls';

const TIMEOUT_MS = 5_000;
const SAID_MAX = 200;

export function greetMailServer(smtpUrl: string): Promise<{ isGreeted: boolean; said: string }> {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const isTls = protocol === 'smtps:';
  const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (isTls ? 465 : 587)) };
  return new Promise((resolve) => {
    const socket = isTls ? tls.connect({ ...target, servername: target.host }) : net.connect(target);
    const end = (isGreeted: boolean, said: string) => {
      socket.destroy();
      resolve({ isGreeted, said: said.slice(0, SAID_MAX) });
    };
    socket.setTimeout(TIMEOUT_MS, () => end(false, 'it says nothing'));
    socket.once('error', ({ message }) => end(false, message));
    // As one whose list of who may speak to it leaves this machine out.
    socket.once('close', () => end(false, 'it hangs up before it has greeted'));
    socket.once('data', (bytes) => end(/^220[ -]/.test(String(bytes)), String(bytes).trim()));
  });
}
