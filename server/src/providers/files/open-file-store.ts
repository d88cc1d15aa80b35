import type { FilesPlace } from '../../domain/files-place.ts';
import type { FileStore } from './file-store.ts';
import { createFolderStore } from './folder.ts';

/** Loaded only where a bucket is named: whoever has none need not keep its code in memory. */
export async function openFileStore(place: FilesPlace): Promise<FileStore> {
  if (place.kind === 'bucket') {
    const { createBucketStore } = await import('./bucket.ts');
    return createBucketStore(place);
  }
  return createFolderStore(place.folder);
}
