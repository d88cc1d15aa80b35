/** Where the program of an operators' command is written. `file` is its name in `server/bin/commands.mjs`. */
import { ROOT } from './source-files.ts';

const MAIN = `${ROOT}/server/src/main`;

export function toCommandSource(file: string): string {
  return file === 'start' ? `${MAIN}/start.ts` : `${MAIN}/operators/${file}.ts`;
}
