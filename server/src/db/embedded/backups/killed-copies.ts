/**
 * Copies of a store that a restore or verification was ended on: as large as the store, and mostly with a server that goes
 * on running on them. One that hears its end takes its own away; what a killed one has left goes with the next, since
 * their names hold whose they are.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
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
    await removeCopy(path.join(folder, name));
  }
}

/** Of this process, being made or looked at. */
const own = new Set<string>();

/** Until what is answered is called, the copy goes with `removeOwnCopies`. */
export function noteOwn(folder: string): () => void {
  own.add(folder);
  return () => own.delete(folder);
}

/** For who ends before their time. */
export async function removeOwnCopies(): Promise<void> {
  for (const folder of own) if (existsSync(folder)) await removeCopy(folder);
}

async function removeCopy(folder: string): Promise<void> {
  // One that was ended before it had a cluster has no place that could be found.
  const place = await preparePlace(folder).catch(() => null);
  if (place !== null) {
    await stopPostmaster(place, () => {});
    await remove(place.cluster);
  }
  await remove(folder);
}

/** What is still being copied into it would else be in the way. */
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 10 });
