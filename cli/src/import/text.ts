/** A file's text as it comes, in the encodings that exports and spreadsheets write: never letters that are not its own. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CommandError, EXIT } from '../io.ts';

/** What a file of UTF-16 begins with; of UTF-8 the mark is no part of the text. */
const MARKS = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;

/** Throws usage for bytes that are no text of its encoding: a guess would bring in names that nobody has. */
export async function* readText(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(await findEncoding(file), { fatal: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new CommandError(EXIT.usage, `${file} is not in UTF-8: save it so, or as Unicode text.`);
    }
  };
  for await (const bytes of createReadStream(file)) yield decode(bytes as Uint8Array);
  yield decode();
}

async function findEncoding(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(new Uint8Array(2), 0, 2, 0);
    const marked = MARKS.find(({ bytes }) => bytes.every((byte, at) => buffer[at] === byte));
    return marked?.encoding ?? 'utf-8';
  } finally {
    await handle.close();
  }
}

/** Split where JSON Lines are: a break that is written within a text is none. */
export async function* readLines(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of readText(file)) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}
