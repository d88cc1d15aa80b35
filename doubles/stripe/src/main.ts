/** `npm run double:stripe -- --port 12111 --control-port 12112 --seed 1 --journal file [--now DATE] [--allow-loopback]` */
import { parseArgs } from 'node:util';
import { startDouble } from './start.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '12111' },
    'control-port': { type: 'string', default: '12112' },
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
const double = await startDouble({
  port: Number(values.port),
  controlPort: Number(values['control-port']),
  seed: values.seed,
  journal: values.journal ?? null,
  nowMs,
  mayLoopback: values['allow-loopback'],
  onKill: () => process.kill(process.pid, 'SIGKILL'),
});
console.log(`Stripe's stand-in answers on ${double.apiUrl}, its control port on ${double.controlUrl}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end());

/** A call that no path is for fails the run. */
async function end(): Promise<void> {
  const unknown = double.world.store.list<{ method: string; path: string }>('unknown');
  for (const { method, path } of unknown) console.error(`unknown call: ${method} ${path}`);
  await double.close();
  process.exit(unknown.length === 0 ? 0 : 1);
}
