/** The command as a process of its own, from its sources. */
import { homedir } from 'node:os';
import { carry } from '../src/commands/mcp.ts';
import { choosePair } from '../src/profiles.ts';

const io = {
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  out: (line: string) => void process.stdout.write(`${line}\n`),
  fetch,
  signal: new AbortController().signal,
  // What the command asks of its terminal beside these it does not use here.
} as unknown as Parameters<typeof carry>[0];

process.stdin.setEncoding('utf8');
await carry(io, {
  pair: await choosePair(io, {}),
  allowWrites: process.argv.includes('--allow-writes'),
  input: process.stdin,
});
