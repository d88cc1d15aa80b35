#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { homedir, hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { text as askText, confirm, isCancel, password } from '@clack/prompts';
import { CommandError, EXIT, type Io } from './io.ts';
import type { Description } from './operations.ts';
import { run } from './program.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
process.once('SIGTERM', () => stop.abort());

/** Whoever leaves a question leaves the command. */
function answered<T>(answer: T): Exclude<T, symbol> {
  if (isCancel(answer)) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
  return answer as Exclude<T, symbol>;
}

const io: Io = {
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  home: homedir(),
  machine: hostname(),
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  isAsking: Boolean(process.stdin.isTTY && process.stderr.isTTY && !process.env.CI),
  isTable: process.stdout.isTTY ?? false,
  ask: async (message) => answered(await confirm({ message, initialValue: false })),
  askText: async (message, { isHidden }) =>
    String(answered(await (isHidden ? password({ message }) : askText({ message }))) ?? ''),
  readStdin: () => text(process.stdin),
  fetch,
  nowMs: Date.now,
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => {}),
  signal: stop.signal,
};

const readDescription = async () =>
  JSON.parse(await readFile(new URL('./openapi.json', import.meta.url), 'utf8')) as Description;

process.exitCode = await run(io, readDescription);
