import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createSmtp, needsTls } from './smtp.ts';

const MAIL = {
  ...{ messageId: '<1@shop.example>', from: { name: 'Shop', address: 'shop@shop.example' }, replyTo: null },
  ...{ to: 'ada@example.com', subject: 'Hello', html: '<p>Hello</p>', plain: 'Hello', dateMs: 0 },
};

describe('Y30 a password for the mail server', () => {
  it.each([
    ['smtp://user:secret@mail.example.com:587', true],
    ['smtp://user:secret@10.0.0.7', true],
    ['smtp://user:secret@127.0.0.1.example.com', true],
    ['smtp://user:secret@localhost:2525', false],
    ['smtp://user:secret@127.0.0.1', false],
    ['smtp://user:secret@[::1]:25', false],
    ['smtp://mail.example.com', false],
    // Begins with TLS, so that none need be asked for.
    ['smtps://user:secret@mail.example.com', false],
  ])('%s needs TLS before it is said: %s', (url, expected) => {
    expect(needsTls(url)).toBe(expected);
  });

  it.each(['', '?requireTLS=false', '?ignoreTLS=true&requireTLS=false'])(
    'is not said to a server without TLS, whatever the URL says: %s',
    async (query) => {
      const heard: string[] = [];
      const server = net.createServer((socket) => {
        socket.write('220 plain\r\n');
        socket.on('error', () => {});
        socket.on('data', (line) => {
          heard.push(String(line));
          socket.write(String(line).startsWith('EHLO') ? '250-plain\r\n250 AUTH PLAIN\r\n' : '235 ok\r\n');
        });
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      // This machine, in a spelling that is not known for it.
      const smtp = createSmtp({ url: `smtp://user:secret@127.1:${port}/${query}` });
      const outcome = await smtp.send(MAIL, { timeoutMs: 2_000 });
      server.close();
      expect(outcome.kind).toBe('failed');
      expect(heard.join('')).toMatch(/^EHLO/);
      expect(heard.join('')).not.toContain('AUTH');
    },
  );
});
