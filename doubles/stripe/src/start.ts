/** Starts one stand-in in this process. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApi } from './api/server.ts';
import { createControl } from './control/server.ts';
import { Deliverer } from './events/deliver.ts';
import { DUE_VERBS } from './verbs/due.ts';
import { World, type WorldOptions } from './world/world.ts';

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

export async function startDouble(options: StartOptions): Promise<Double> {
  const world = new World(options);
  const deliverer = new Deliverer(world);
  const verbs = {
    ...DUE_VERBS,
    deliver: (_: World, args: Record<string, unknown>) => deliverer.retry(String(args.id)),
  };
  const runDue = (): void => world.runDue(verbs);
  const api = createApi(world, deliverer, runDue);
  const control = createControl({ world, deliverer, runDue, onKill: options.onKill });
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

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
