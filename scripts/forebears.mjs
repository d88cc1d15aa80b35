/** Who started this process, and what becomes of it when they end. Plain JavaScript: it runs before there is a build. */
import { existsSync, readFileSync } from 'node:fs';

const PARENT_POLL_MS = 250;

/**
 * A killed `npm start` or `npx` cannot pass its end on, and a service without it would hold the port and DATA_DIR
 * with nobody to stop it. So the end of npm is taken as the request to stop, and not waited on for long.
 */
export function endWithParent(graceMs) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const before = findForebears();
  const watch = setInterval(() => {
    if (findForebears() === before) return;
    clearInterval(watch);
    console.error('npm has ended: stopping');
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), graceMs).unref();
  }, PARENT_POLL_MS);
  watch.unref();
}

/** Our parent and its parent: npm may run us by way of a shell, which outlives it. */
function findForebears() {
  const stat = `/proc/${process.ppid}/stat`;
  // The name in brackets may hold spaces; state and parent follow it.
  const grandparent = existsSync(stat) ? readFileSync(stat, 'utf8').split(') ').at(-1).split(' ')[1] : '';
  return `${process.ppid} ${grandparent}`;
}
