/** One HTTP server on every address of the machine: whatever a guard lets through is counted by where it arrived. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import ipaddr from 'ipaddr.js';

export interface Canary {
  /** Addresses at which requests arrived, in their order. */
  hits: string[];
  /** Answers of the next requests; after them every answer is 200. */
  answers: Array<(response: ServerResponse) => void>;
  /** Ends all connections that are kept alive. */
  cut(): void;
  close(): Promise<void>;
}

export async function openCanary(port: number): Promise<Canary> {
  const hits: string[] = [];
  const answers: Canary['answers'] = [];
  const server = createServer((request: IncomingMessage, response) => {
    hits.push(ipaddr.process(request.socket.localAddress ?? '').toString());
    request.resume();
    const answer = answers.shift();
    if (answer) answer(response);
    else response.end();
  });
  // Both families: an IPv4 address arrives as a mapped one.
  await new Promise<void>((resolve) => server.listen({ port, host: '::', ipv6Only: false }, resolve));
  return {
    hits,
    answers,
    cut: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
