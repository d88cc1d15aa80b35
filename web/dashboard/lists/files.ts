/** Files that a row of a list has, kept as downloads. */
import { toZip } from './zip.ts';

export interface LoadedFile {
  name: string;
  blob: Blob;
}

/** Links bear the public address; the dashboard asks its own origin alone. */
export async function loadFile({ url, name }: { url: string; name: string }): Promise<LoadedFile> {
  const { pathname, search } = new URL(url, window.location.origin);
  const answer = await fetch(`${pathname}${search}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return { name, blob: await answer.blob() };
}

export async function toArchive(files: readonly LoadedFile[]): Promise<Blob> {
  const entries = await Promise.all(
    files.map(async ({ name, blob }) => ({ name, bytes: new Uint8Array(await blob.arrayBuffer()) })),
  );
  return toZip(
    entries.sort((a, b) => (a.name < b.name ? -1 : 1)),
    new Date(),
  );
}

export function saveFile({ name, blob }: LoadedFile): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
