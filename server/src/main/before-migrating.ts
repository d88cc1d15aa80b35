/** What an embedded store with data goes through before it is migrated: something that it can be gone back to. */
import path from 'node:path';
import type { Config } from '../config.ts';
import { copyStopped, isStopped, toUndo } from '../db/embedded/backups/copy-stopped.ts';
import { takeBase } from '../db/embedded/backups/take-base.ts';
import type { EmbeddedStore } from '../db/embedded/store.ts';

/** So much is copied without being asked. */
export const COPIED_BYTES_MAX = 2 * 1024 ** 3;

/** The operator decides: told in one line, with nothing changed. */
export class CannotGoBack extends Error {
  override name = 'CannotGoBack';
}

export interface BeforeMigrating {
  store: Pick<EmbeddedStore, 'place' | 'backups'>;
  migrate: Config['migrate'];
  /** The last that the store has. */
  schema: string;
  /** Leaves the store, so that its server stops. */
  close: () => Promise<void>;
  limitBytes?: number;
  /** Whether the disk is asked to share blocks; tests say no. */
  shares?: boolean;
}

/** Answers the lines that say how to go back. Throws one line, with nothing changed, where the store is too large. */
export async function secureBeforeMigrating({
  store: { place, backups },
  migrate,
  schema,
  close,
  limitBytes = COPIED_BYTES_MAX,
  shares = true,
}: BeforeMigrating): Promise<string[]> {
  if (backups !== null) {
    const { manifest } = await takeBase(backups);
    const to = `${path.dirname(place.cluster)}-before-${schema}`;
    const way = `npm run restore -- --from ${backups.backups.root} --at ${manifest.endedAt} --to ${to}`;
    return [
      `To undo it, with the version of before: ${way}, start it with that DATA_DIR, and npm run resume -- --restored`,
    ];
  }
  await close();
  if (!isStopped(place.cluster))
    throw new CannotGoBack('another process uses the store, which is to be migrated: end it first');
  const name = `${schema}-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`;
  const isAsked = migrate === 'now';
  const copy = await copyStopped({ cluster: place.cluster, name, limitBytes, isAsked, shares }).catch(
    (cause) => {
      throw new CannotGoBack(cause instanceof Error ? cause.message : String(cause), { cause });
    },
  );
  return [
    `To undo it, once the service has ended, and before the version of before is started:`,
    toUndo(place.cluster, copy),
  ];
}
