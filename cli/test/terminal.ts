/** A terminal for the commands: what they print and are told, against a service that listens. */
import { mkdtemp } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApp } from '../../server/test/support/harness.ts';
import { readDescribed } from '../described.ts';
import type { Io } from '../src/io.ts';
import { readCatalogue } from '../src/operations.ts';
import { run } from '../src/program.ts';

export interface Said {
  exit: number;
  out: string[];
  err: string[];
}

export interface Terminal {
  home: string;
  origin: string;
  run(args: string, changes?: Partial<Io>): Promise<Said>;
  /** How many requests the commands have sent, and to whom. */
  asked: string[];
}

export async function openTerminal(t: TestApp): Promise<Terminal> {
  await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const home = await mkdtemp(join(tmpdir(), 'cli-'));
  const asked: string[] = [];
  const catalogue = readCatalogue(readDescribed());
  return {
    home,
    origin,
    asked,
    run: async (args, changes = {}) => {
      const said: Said = { exit: -1, out: [], err: [] };
      const io: Io = {
        args: toWords(args),
        env: {},
        cwd: home,
        home,
        machine: 'ada-laptop',
        nodeVersion: process.versions.node,
        version: '0.1.0',
        out: (line) => void said.out.push(line),
        err: (line) => void said.err.push(line),
        isAsking: false,
        isTable: false,
        ask: async () => false,
        askText: async () => '',
        readStdin: async () => '',
        onKey: () => () => {},
        open: () => {},
        fetch: (input, init) => {
          asked.push(`${init?.method ?? 'GET'} ${input}`);
          return fetch(input, init);
        },
        nowMs: Date.now,
        sleep: async () => {},
        signal: new AbortController().signal,
        ...changes,
      };
      said.exit = await run(io, async () => catalogue);
      return said;
    },
  };
}

/** As a shell reads them. */
export function toWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|\\(.)/g, (_all, plain, escaped) => (plain !== undefined ? plain : escaped)),
  );
}

export const toEnv = (
  origin: string,
  { publicKey, secretKey }: { publicKey: string; secretKey: string },
) => ({
  COUNTERFOIL_BASE_URL: origin,
  COUNTERFOIL_PUBLIC_KEY: publicKey,
  COUNTERFOIL_SECRET_KEY: secretKey,
});
