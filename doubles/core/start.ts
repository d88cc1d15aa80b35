/** Starts one stand-in in this process, and as a program. */
import type { Server } from 'node:http';
import { parseArgs } from 'node:util';
import { type ControlCalls, createControl } from './control.ts';
import { Deliverer, type Post } from './deliver.ts';
import { listen, stop } from './serve.ts';
import { type DueVerbs, World, type WorldOptions } from './world.ts';

/** How often it looks for what is due, when nobody calls. */
const TICK_MS = 250;

export interface StartOptions extends WorldOptions {
  /** 0 = any that is free. */
  port: number;
  controlPort: number;
  onKill: () => void;
}

export interface Double {
  apiUrl: string;
  controlUrl: string;
  world: World;
  close: () => Promise<void>;
}

/** What makes a stand-in that of one processor. */
export interface Kind {
  name: string;
  post: Post;
  dueVerbs: DueVerbs;
  calls: ControlCalls;
  createApi: (world: World, deliverer: Deliverer, runDue: () => void) => Server;
}

export async function startKind(kind: Kind, options: StartOptions): Promise<Double> {
  const world = new World(options);
  const deliverer = new Deliverer(world, kind.post);
  const verbs = {
    ...kind.dueVerbs,
    deliver: (_: World, args: Record<string, unknown>) => deliverer.retry(String(args.id)),
  };
  const runDue = (): void => world.runDue(verbs);
  const api = kind.createApi(world, deliverer, runDue);
  const control = createControl({ world, deliverer, runDue, onKill: options.onKill }, kind.calls);
  const apiPort = await listen(api, options.port);
  const controlPort = await listen(control, options.controlPort);
  world.publicUrl = `http://127.0.0.1:${apiPort}`;
  const tick = setInterval(runDue, TICK_MS);
  tick.unref();
  deliverer.resume();
  return {
    apiUrl: world.publicUrl,
    controlUrl: `http://127.0.0.1:${controlPort}`,
    world,
    close: async () => {
      clearInterval(tick);
      await deliverer.close();
      await Promise.all([stop(api), stop(control)]);
    },
  };
}

/** `--port N --control-port N+1 --seed 1 --journal file [--now DATE] [--allow-loopback]` */
export async function runKind(kind: Kind, defaultPort: number): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(defaultPort) },
      'control-port': { type: 'string', default: String(defaultPort + 1) },
      seed: { type: 'string', default: '1' },
      journal: { type: 'string' },
      now: { type: 'string' },
      'allow-loopback': { type: 'boolean', default: false },
    },
  });
  const nowMs = values.now === undefined ? null : Date.parse(values.now);
  if (Number.isNaN(nowMs)) {
    console.error(`--now: ${values.now} is no date`);
    process.exit(1);
  }
  const double = await startKind(kind, {
    port: Number(values.port),
    controlPort: Number(values['control-port']),
    seed: values.seed,
    journal: values.journal ?? null,
    nowMs,
    mayLoopback: values['allow-loopback'],
    onKill: () => process.kill(process.pid, 'SIGKILL'),
  });
  console.log(
    `${kind.name}'s stand-in answers on ${double.apiUrl}, its control port on ${double.controlUrl}`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(double));
}

/** A call that no path is for fails the run. */
async function end(double: Double): Promise<void> {
  const unknown = double.world.store.list<{ method: string; path: string }>('unknown');
  for (const { method, path } of unknown) console.error(`unknown call: ${method} ${path}`);
  await double.close();
  process.exit(unknown.length === 0 ? 0 : 1);
}
