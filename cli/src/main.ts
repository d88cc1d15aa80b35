#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { text as askText, confirm, isCancel, password } from '@clack/prompts';
import { version as VERSION } from '../package.json';
import { CommandError, EXIT, type Io } from './io.ts';
import type { Catalogue } from './operations.ts';
import { run } from './program.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

// Whoever reads no further, as `head` does, has what they wanted: all that was sent has had its effect before it is told.
process.stdout.on('error', endWithReader);
process.stderr.on('error', () => {});

function endWithReader({ code }: NodeJS.ErrnoException): void {
  process.exit(code === 'EPIPE' ? EXIT.done : EXIT.bug);
}

/** Whoever leaves a question leaves the command. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
  return answer as Exclude<T, symbol>;
}

function hearKeys(hear: (key: string) => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => {};
  const onData = (bytes: Buffer) => {
    const key = bytes.toString();
    // A terminal that hands over keys no longer makes signals of them.
    if (key === '\u0003') stop.abort();
    else hear(key);
  };
  stdin.setRawMode(true).on('data', onData).resume();
  return () => void stdin.off('data', onData).setRawMode(false).pause();
}

const OPENERS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

/** Where nothing can show it, the printed address is enough. */
function openInBrowser(url: string): void {
  const opener = OPENERS[process.platform] ?? 'xdg-open';
  spawn(opener, [url], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref();
}

const io: Io = {
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  machine: hostname(),
  nodeVersion: process.versions.node,
  version: VERSION,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  isAsking: Boolean(process.stdin.isTTY && process.stderr.isTTY && !process.env.CI),
  isTable: process.stdout.isTTY ?? false,
  ask: async (message) => answered(await confirm({ message, initialValue: false })),
  askText: async (message, { isHidden }) =>
    String(answered(await (isHidden ? password({ message }) : askText({ message }))) ?? ''),
  readStdin: () => text(process.stdin),
  onKey: hearKeys,
  open: openInBrowser,
  fetch,
  nowMs: Date.now,
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  signal: stop.signal,
};

const readCatalogue = async () =>
  JSON.parse(await readFile(new URL('./operations.json', import.meta.url), 'utf8')) as Catalogue;

const exit = await run(io, readCatalogue);
// Beside a store `doctor` has looked at that before, and may have found something.
process.exitCode = exit || process.exitCode || EXIT.done;
