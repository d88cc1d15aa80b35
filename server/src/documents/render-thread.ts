/**
 * Drawing takes tenths of a second, in which a process would answer nobody: it is done in a thread, started
 * for the first document and ended when there has been nothing to draw for a while.
 */
import { Worker } from 'node:worker_threads';
import { Refusal } from '../domain/errors.ts';
import type { RenderRequest } from './render-request.ts';

export interface RenderThread {
  render(request: RenderRequest): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Sent to the thread, and its answer. */
export interface RenderCall {
  id: number;
  request: RenderRequest;
}
export type RenderAnswer = { id: number; bytes: Uint8Array } | { id: number; error: string };

const IDLE_MS = 60_000;
/** More than these wait for the thread only when something is wrong. */
const WAITING_MAX = 200;

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Sources run without a build in tests: a thread needs the same loader that its process was given. */
const isSource = import.meta.url.endsWith('.ts');
/** Sources are compiled first, which takes a busy machine longer than any drawing. */
const TIMEOUT_MS = isSource ? 120_000 : 30_000;
const FILE = new URL(isSource ? './render-worker.ts' : './render-worker.js', import.meta.url);
const LOADER = new URL('../../../scripts/typescript.mjs', import.meta.url);
const EXEC_ARGV = isSource
  ? ['--import', `data:text/javascript,import{register}from"node:module";register("${LOADER}")`]
  : [];

export function createRenderThread(): RenderThread {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  async function end(error: Error): Promise<void> {
    const ended = worker;
    worker = null;
    clearTimeout(idle);
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    waiting.clear();
    await ended?.terminate();
  }

  function settle(answer: RenderAnswer): void {
    const caller = waiting.get(answer.id);
    if (!caller) return;
    waiting.delete(answer.id);
    clearTimeout(caller.timer);
    if ('bytes' in answer) caller.resolve(answer.bytes);
    else caller.reject(new Error(`a document could not be drawn: ${answer.error}`));
    if (waiting.size > 0) return;
    idle = setTimeout(() => void end(new Error('idle')), IDLE_MS);
    idle.unref();
  }

  function start(): Worker {
    const started = new Worker(FILE, { execArgv: EXEC_ARGV });
    started.unref();
    started.on('message', settle);
    const fail = (error: Error) => {
      if (worker === started) void end(error);
    };
    started.on('error', fail);
    started.on('exit', () => fail(new Error('the drawing thread ended')));
    return started;
  }

  return {
    render(request) {
      if (waiting.size >= WAITING_MAX) return Promise.reject(new Refusal('unavailable'));
      clearTimeout(idle);
      worker ??= start();
      const used = worker;
      lastId += 1;
      const id = lastId;
      return new Promise((resolve, reject) => {
        // The machine is too busy, which is no fault of the document: whoever asks again may have it.
        const late = () => end(new Refusal('unavailable', { cause: new Error('drawing took too long') }));
        const timer = setTimeout(() => void late(), TIMEOUT_MS);
        waiting.set(id, { resolve, reject, timer });
        used.postMessage({ id, request } satisfies RenderCall);
      });
    },
    close: () => end(new Refusal('unavailable')),
  };
}
