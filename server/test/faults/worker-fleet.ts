/** Workers as processes of their own, and who starts another one in place of one that was killed. */
import { type ServiceProcess, spawnService } from './service-process.ts';

export interface FleetOptions {
  count: number;
  databaseUrl: string;
  dataDir: string;
  env?: Record<string, string>;
}

export interface Fleet {
  /** What those printed that were ready and ended by themselves, which none should; others took their place. */
  ended: readonly string[];
  /** Those that run now: started, and neither killed nor stopped. */
  listReady(): ServiceProcess[];
  /** SIGKILL; another one is started at once, and waited for by nobody. */
  kill(worker: ServiceProcess): Promise<void>;
  pause(worker: ServiceProcess): void;
  resume(worker: ServiceProcess): void;
  close(): Promise<void>;
}

const READY = 'is ready';
/** Of what one printed last. */
const OUTPUT_MAX = 2_000;

export async function startFleet({ count, ...options }: FleetOptions): Promise<Fleet> {
  const workers: ServiceProcess[] = [];
  const ready = new Set<ServiceProcess>();
  const starting = new Set<Promise<void>>();
  const ended: string[] = [];
  let isClosing = false;

  function start(): Promise<void> {
    const { env, ...store } = options;
    const worker = spawnService({ port: 0, ...store, env: { ...env, ROLE: 'worker' } });
    workers.push(worker);
    void worker.exited.then(() => {
      if (isClosing || !workers.includes(worker)) return;
      if (ready.has(worker)) ended.push(worker.output().slice(-OUTPUT_MAX));
      replace(worker);
    });
    // One that ends before it is ready has been replaced, and so has its start.
    const started = worker.said(READY).then(
      () => void ready.add(worker),
      () => {},
    );
    starting.add(started);
    return started.finally(() => starting.delete(started));
  }

  function replace(worker: ServiceProcess): void {
    ready.delete(worker);
    workers.splice(workers.indexOf(worker), 1);
    void start();
  }

  await Promise.all(Array.from({ length: count }, start));
  return {
    ended,
    listReady: () => workers.filter((worker) => ready.has(worker)),
    async kill(worker) {
      worker.signal('SIGKILL');
      replace(worker);
      await worker.exited;
    },
    pause(worker) {
      ready.delete(worker);
      worker.signal('SIGSTOP');
    },
    resume(worker) {
      worker.signal('SIGCONT');
      ready.add(worker);
    },
    async close() {
      isClosing = true;
      for (const worker of workers) worker.signal('SIGKILL');
      await Promise.all([...workers.map(({ exited }) => exited), ...starting]);
    },
  };
}
