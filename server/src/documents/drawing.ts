/** What the parts of a document share: what is drawn, in which styles, and where a page ends. */
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { PAGE, type Sheet } from './sheet.ts';
import type { TextStyle } from './typesetter.ts';
import type { Wording } from './wording.ts';

export const INK = '#1b2130';
export const QUIET = '#5a6372';
export const WARNING = '#8a4b00';

export const BODY: TextStyle = { size: 9, color: INK };
export const SMALL: TextStyle = { size: 8, color: QUIET };
export const STRONG: TextStyle = { size: 9, weight: 'bold', color: INK };
export const LABEL: TextStyle = { size: 7.5, weight: 'bold', color: QUIET };

/** Above each of what stands under the lines. */
export const GAP = { totals: 12, notes: 22, footer: 8 };

/** What is drawn, on what, and in which words. */
export interface Drawing {
  sheet: Sheet;
  snapshot: Snapshot;
  words: Wording;
}

/** Where a block of this height begins: here, or on a new page. */
export function startBlock(sheet: Sheet, y: number, height: number): number {
  if (y + height <= PAGE.bottom) return y;
  sheet.addPage();
  return PAGE.top;
}
