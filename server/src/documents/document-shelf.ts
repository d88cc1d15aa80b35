/**
 * PDFs among the files: drawn once, in a thread of their own, and kept under the hash of their bytes, so that nothing is
 * ever written over.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Refusal } from '../domain/errors.ts';
import type { FilePlace } from '../providers/files/disk.ts';
import { type FileStore, type Stretch, toDocumentName } from '../providers/files/file-store.ts';
import type { PlainLetter } from './plain-letter.ts';
import type { InvoiceRequest } from './render-request.ts';
import { createRenderThread } from './render-thread.ts';

export interface KeptDocument {
  sha256: string;
  sizeBytes: number;
}

export interface DocumentShelf {
  /** Draws a document from its snapshot and keeps it. Throws unavailable when the disk is full. */
  make(place: FilePlace, drawing: InvoiceRequest): Promise<KeptDocument>;
  /** Draws a letter, which is kept nowhere: the same one has the same bytes. */
  drawLetter(letter: PlainLetter): Promise<Uint8Array>;
  /** The bytes with this hash; null when they are not there. */
  open(place: FilePlace, sha256: string, stretch?: Stretch): Promise<Readable | null>;
  close(): Promise<void>;
}

/** `dataDir`: where a drawing waits to be kept. */
export function createDocumentShelf({
  files,
  dataDir,
}: {
  files: FileStore;
  dataDir: string;
}): DocumentShelf {
  const thread = createRenderThread();
  // Two who open a new invoice at once wait for one drawing.
  const making = new Map<string, Promise<KeptDocument>>();

  async function draw(place: FilePlace, drawing: InvoiceRequest): Promise<KeptDocument> {
    const bytes = await thread.render(drawing);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const drawn = path.join(dataDir, 'invoices', `${randomUUID()}.partial`);
    try {
      await writeFlushed(drawn, bytes);
      await files.put(toDocumentName(place, sha256), { path: drawn, sha256, sizeBytes: bytes.length });
    } finally {
      await rm(drawn, { force: true });
    }
    return { sha256, sizeBytes: bytes.length };
  }

  return {
    make(place, drawing) {
      const known = making.get(place.id);
      if (known) return known;
      const made = draw(place, drawing).finally(() => making.delete(place.id));
      making.set(place.id, made);
      return made;
    },
    drawLetter: (letter) => thread.render({ letter }),
    open: (place, sha256, stretch) => files.open(toDocumentName(place, sha256), stretch),
    close: () => thread.close(),
  };
}

async function writeFlushed(target: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    const file = await open(target, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw new Refusal('unavailable', { cause, internal: `${target} could not be written` });
  }
}
