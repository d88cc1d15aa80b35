/** `files upload`: the one operation whose body is no JSON. */
import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { confirmWrite } from '../confirm.ts';
import { CommandError, EXIT } from '../io.ts';
import { type Own, openPair, type PairFlags, withExample, withPair, withYes } from '../own-command.ts';
import { nounOf } from '../program-nouns.ts';
import { showData } from '../show.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.avif': 'image/avif',
  '.pdf': 'application/pdf',
  '.zip': 'application/zip',
};

interface Flags extends PairFlags {
  name?: string;
  type?: string;
  purpose?: string;
}

export function addUpload({ io, program }: Own): void {
  const command = withYes(withPair(nounOf(program, 'files').command('upload <file>')))
    .description('upload a file: a picture, or what is sold')
    .option('--name <name>', 'what it is called; missing = as here')
    .option('--type <type>', 'its media type; missing = by its ending')
    .option('--purpose <purpose>', 'picture or download; missing = by its type');
  withExample(command, 'counterfoil files upload cover.png');
  command.action(async (path: string, { name, type, purpose, ...flags }: Flags) => {
    const file = resolve(io.cwd, path);
    const contentType = type ?? TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
    const blob = await openFile(file, contentType);
    const { pair, call } = await openPair(io, flags);
    await confirmWrite(io, { call, pair, what: `files upload ${path}`, asks: false, yes: flags.yes });
    const headers = {
      'content-type': contentType,
      'x-file-name': encodeURIComponent(name ?? basename(file)),
      ...(purpose === undefined ? {} : { 'x-file-purpose': purpose }),
    };
    const idempotencyKey = randomUUID();
    const request = {
      method: 'POST',
      path: '/v0/files/upload',
      raw: blob,
      headers,
      timeoutMs: 0,
      idempotencyKey,
    };
    showData(io, await call(request));
  });
}

/** It is read as it is sent. */
async function openFile(file: string, type: string): Promise<Blob> {
  // A folder would break the request off, and of a pipe nothing would be sent.
  const found = await stat(file).catch(() => null);
  if (found && !found.isFile()) throw new CommandError(EXIT.usage, `${file} is no file.`);
  try {
    return await openAsBlob(file, { type });
  } catch {
    throw new CommandError(EXIT.usage, `${file} cannot be read.`);
  }
}
