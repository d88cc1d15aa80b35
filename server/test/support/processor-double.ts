/** A stand-in for a processor as a process of its own, on ports that were free, and its control port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { assert } from '../../src/domain/assert.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const SAID = /answers on (\S+), its control port on (\S+)$/;

export interface ProcessorDouble {
  child: ChildProcess;
  apiUrl: string;
  /** One call of the control port, such as `POST /faults`. Throws on a refusal. */
  control<T = Record<string, unknown>>(call: string, body?: object): Promise<T>;
  /** Ends the process. Throws where a call came that the stand-in has no path for. */
  close(): Promise<void>;
}

/** Each way in which a call's answer is lost, or says nothing of what was done: faults of the control port. */
export const LOST_ANSWERS: readonly object[] = [
  { drop: 'before' },
  { drop: 'after' },
  { cut: true },
  { html: true },
  { status: 500, effect: true },
  { status: 500, effect: false },
  { status: 503, effect: false },
];

export interface DoubleOptions {
  seed?: string;
  /** A date in the past or future that its clock starts at. Missing = now. */
  now?: string;
  /** It tells addresses on this very machine; processors tell none. Missing = it does. */
  mayLoopback?: boolean;
}

export async function startProcessorDouble(
  name: 'paypal' | 'stripe',
  { seed = '1', now, mayLoopback = true }: DoubleOptions,
): Promise<ProcessorDouble> {
  const { DATABASE_URL: _store, NODE_ENV: _test, VITEST: _vitest, ...env } = process.env;
  const flags = ['--port', '0', '--control-port', '0', '--seed', seed];
  const child = spawn(
    process.execPath,
    [
      ...['--import', './scripts/typescript.mjs', `doubles/${name}/src/main.ts`, ...flags],
      ...(mayLoopback ? ['--allow-loopback'] : []),
      ...(now === undefined ? [] : ['--now', now]),
    ],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { apiUrl, controlUrl } = await readAddresses(child);
  const control = async <T>(call: string, body?: object): Promise<T> => {
    const [method = 'GET', path = '/'] = call.split(' ');
    const answer = await fetch(`${controlUrl}${path}`, {
      method,
      // Of a connection that is kept a slow machine may learn too late that it was closed meanwhile.
      headers: { connection: 'close' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    assert(answer.ok, `the stand-in refused ${call}: ${answer.status} ${text}`);
    return parse(text, answer.headers.get('content-type')) as T;
  };
  return { child, apiUrl, control, close: () => end(child) };
}

/** A list comes by lines. */
function parse(text: string, type: string | null): unknown {
  if (type !== 'application/x-ndjson') return JSON.parse(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** It says them once it listens. */
async function readAddresses(child: ChildProcess): Promise<{ apiUrl: string; controlUrl: string }> {
  assert(child.stdout && child.stderr, 'its streams are read');
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, apiUrl, controlUrl] = SAID.exec(line) ?? [];
    if (apiUrl && controlUrl) return { apiUrl, controlUrl };
  }
  throw new Error(`the stand-in did not start: ${complaint}`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  let complaint = '';
  child.stderr?.on('data', (chunk) => {
    complaint += String(chunk);
  });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert(code === 0, `the stand-in ended with ${code}: ${complaint}`);
}
