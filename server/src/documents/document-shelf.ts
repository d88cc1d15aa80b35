/**
 * PDFs on disk: drawn once, in a thread of their own, and kept under the hash of their bytes
 * (`<dataDir>/invoices/<workspace>/<mode>/<id>-<sha256>.pdf`), so that nothing is ever written over.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../domain/errors.ts';
import type { FilePlace } from '../providers/files/disk.ts';
import type { PlainLetter } from './plain-letter.ts';
import { createRenderThread } from './render-thread.ts';

export interface KeptDocument {
  path: string;
  sha256: string;
  sizeBytes: number;
}

export interface DocumentShelf {
  /** Draws a document from its snapshot and keeps it. Throws unavailable when the disk is full. */
  make(place: FilePlace, snapshot: string): Promise<KeptDocument>;
  /** Draws a letter, which is kept nowhere: the same one has the same bytes. */
  drawLetter(letter: PlainLetter): Promise<Uint8Array>;
  /** Where the bytes with this hash lie; null when they are not on this disk. */
  find(place: FilePlace, sha256: string): Promise<string | null>;
  /** Keeps bytes that were drawn elsewhere. */
  keep(place: FilePlace, drawn: { sha256: string; from: string }): Promise<void>;
  /** Forgets the bytes with this hash, of a document that is no more. */
  remove(place: FilePlace, sha256: string): Promise<void>;
  close(): Promise<void>;
}

export function createDocumentShelf({ dataDir }: { dataDir: string }): DocumentShelf {
  const thread = createRenderThread();
  // Two who open a new invoice at once wait for one drawing.
  const making = new Map<string, Promise<KeptDocument>>();

  async function draw(place: FilePlace, snapshot: string): Promise<KeptDocument> {
    const bytes = await thread.render({ snapshot, dataDir, place });
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const target = toDocumentPath(dataDir, place, sha256);
    await writeWhole(target, bytes);
    return { path: target, sha256, sizeBytes: bytes.length };
  }

  return {
    make(place, snapshot) {
      const known = making.get(place.id);
      if (known) return known;
      const made = draw(place, snapshot).finally(() => making.delete(place.id));
      making.set(place.id, made);
      return made;
    },
    drawLetter: (letter) => thread.render({ letter }),
    async find(place, sha256) {
      const target = toDocumentPath(dataDir, place, sha256);
      return access(target).then(
        () => target,
        () => null,
      );
    },
    async keep(place, { sha256, from }) {
      await writeWhole(toDocumentPath(dataDir, place, sha256), await readFile(from));
    },
    remove: (place, sha256) => rm(toDocumentPath(dataDir, place, sha256), { force: true }),
    close: () => thread.close(),
  };
}

function toDocumentPath(dataDir: string, { workspaceId, testMode, id }: FilePlace, sha256: string): string {
  return path.join(dataDir, 'invoices', workspaceId, testMode ? 'test' : 'live', `${id}-${sha256}.pdf`);
}

/** Under its own name a file is whole, even after a power cut. */
async function writeWhole(target: string, bytes: Uint8Array): Promise<void> {
  const partial = `${target}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, target);
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => {});
    throw new Refusal('unavailable', { cause, internal: `${target} could not be written` });
  }
}
