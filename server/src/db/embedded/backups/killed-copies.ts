/**
 * Copies of a store that a killed restore or verification has left: as large as the store, and mostly with a server that
 * goes on running on them. Their names hold whose they are.
 */
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { preparePlace } from '../place.ts';
import { isAlive, stopPostmaster } from '../postmaster.ts';

/** Other machines may see the same folder, and know nothing of our processes. */
const toStart = (prefix: string) => `${prefix}${os.hostname()}-`;

/** A name for one that this process makes. */
export const toOwnName = (prefix: string) => `${toStart(prefix)}${process.pid}-${randomUUID()}`;

export async function removeKilled(folder: string, prefix: string): Promise<void> {
  const start = toStart(prefix);
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(start) ? /^(\d+)-/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const left = path.join(folder, name);
    // One that was killed before it had a cluster has no place that could be found.
    const place = await preparePlace(left).catch(() => null);
    if (place !== null) {
      await stopPostmaster(place, () => {});
      await rm(place.cluster, { recursive: true, force: true });
    }
    await rm(left, { recursive: true, force: true });
  }
}
