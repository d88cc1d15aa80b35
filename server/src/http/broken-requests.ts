/** What is no HTTP, or more of it than is read, comes to no route: it is answered on its socket, in the form of all answers. */
import type { Duplex } from 'node:stream';

/** Node's word for what it could not read. */
interface Unreadable {
  code?: string;
}

/** Of a request that Node hands on as a socket to somewhere else. */
export const NO_TUNNEL = 'NO_TUNNEL';

export function answerUnreadable({ code }: Unreadable, socket: Duplex, requestId: string): void {
  if (code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) socket.write(toAnswer(toMessage(code), requestId));
  socket.destroy();
}

function toMessage(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers of the request are too large.';
  if (code === NO_TUNNEL) return 'There is no CONNECT here.';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive.';
  return 'The request is not valid HTTP.';
}

function toAnswer(message: string, requestId: string): string {
  const body = JSON.stringify({ status: 'error', error: { message, code: 'invalid_input', requestId } });
  const headers = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  return `${headers.join('\r\n')}\r\n\r\n${body}`;
}
