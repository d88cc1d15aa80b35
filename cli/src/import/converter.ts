/** What a converter is: from what another service lists to lines, and a word on what stays there. */
import type { ImportLine } from './lines.ts';
import type { Kinds, Source } from './source.ts';
import type { Stays } from './stays.ts';

export interface Converting {
  stays: Stays;
  /** What has ended by then is not brought along. */
  nowMs: number;
}

export interface Converter {
  /** As the command names it. */
  source: string;
  kinds: Kinds;
  convert(source: Source, converting: Converting): AsyncGenerator<ImportLine>;
}
