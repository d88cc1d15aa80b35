/** Writes what a converter yields as lines of an import file, as they come. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, EXIT } from '../io.ts';
import type { Converter } from './converter.ts';
import { GUMROAD } from './gumroad/convert.ts';
import { LEMONSQUEEZY } from './lemonsqueezy/convert.ts';
import type { ImportLine } from './lines.ts';
import { PADDLE } from './paddle/convert.ts';
import { openSource } from './source.ts';
import { createStays, type Stay } from './stays.ts';
import { STRIPE } from './stripe/convert.ts';

export const CONVERTERS: Readonly<Record<string, Converter>> = {
  stripe: STRIPE,
  paddle: PADDLE,
  lemonsqueezy: LEMONSQUEEZY,
  gumroad: GUMROAD,
};

/** Whoever reads it has the store's customers. */
const OWNER_ONLY = 0o600;

export interface Converted {
  lines: number;
  stays: Stay[];
}

interface Wanted {
  converter: Converter;
  from: string;
  to: string;
  nowMs: number;
  signal: AbortSignal;
  tell: (count: number) => void;
}

export async function convertToFile({
  converter,
  from,
  to,
  nowMs,
  signal,
  tell,
}: Wanted): Promise<Converted> {
  const source = await openSource(from, converter);
  const stays = createStays();
  let lines = 0;
  const write = async function* (converted: AsyncIterable<ImportLine>) {
    for await (const line of converted) {
      if (signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
      lines += 1;
      tell(lines);
      yield `${JSON.stringify(line)}\n`;
    }
  };
  const target = createWriteStream(to, { mode: OWNER_ONLY });
  await pipeline(Readable.from(write(converter.convert(source, { stays, nowMs }))), target);
  return { lines, stays: stays.list() };
}
