/**
 * Where finished files lie: in a folder (DATA_DIR, or one that machines share) or in a bucket. Their names hold the hash
 * of their bytes, so that a name is written once and means the same everywhere.
 */
import type { Readable } from 'node:stream';
import type { FilePlace } from './disk.ts';

export interface FinishedFile {
  /** On this disk; it is taken over, and is not there afterwards. */
  path: string;
  sha256: string;
  sizeBytes: number;
}

/** Both ends included. */
export interface Stretch {
  start: number;
  end: number;
}

/** What does not answer, or has no room, throws unavailable. */
export interface FileStore {
  /** Keeps a file under a name, unless the name is taken: by the same bytes, or it throws. */
  put(name: string, file: FinishedFile): Promise<void>;
  /** Null = there is none of this name. */
  open(name: string, stretch?: Stretch): Promise<Readable | null>;
  has(name: string): Promise<boolean>;
  /** Where its bytes lie on this disk: at their own place, or as a copy at `copy`; null = there is none of this name. */
  fetch(name: string, copy: string): Promise<string | null>;
  remove(name: string): Promise<void>;
  /** All names that begin so, in no order. A beginning that is not empty ends with a slash. */
  list(beginning: string): AsyncIterable<string>;
}

const toFolder = ({ workspaceId, testMode }: Omit<FilePlace, 'id'>) =>
  `${workspaceId}/${testMode ? 'test' : 'live'}`;

/** Of an upload. Those of before hashes were noted lie in DATA_DIR under their id alone. */
export function toUploadName(place: FilePlace & { sha256: string | null }): string {
  const { id, sha256 } = place;
  return `files/${toFolder(place)}/${sha256 === null ? id : `${id}-${sha256}`}`;
}

/** Of the PDF of an invoice or credit note. */
export function toDocumentName(place: FilePlace, sha256: string): string {
  return `invoices/${toFolder(place)}/${place.id}-${sha256}.pdf`;
}
