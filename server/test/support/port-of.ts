import type { Server } from 'node:net';

/** Of a server that listens on TCP. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
