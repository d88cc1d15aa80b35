/** All tools, and which of them a key pair is shown. */
import { type Caller, mayDo } from './caller.ts';
import type { Tool } from './tool.ts';
import { DOCS } from './tools/docs.ts';
import { FIGURES } from './tools/figures.ts';
import { FINDING } from './tools/find.ts';
import { MOVING_MONEY } from './tools/moving-money.ts';
import { SELLING, TRYING } from './tools/selling.ts';

export const TOOLS: readonly Tool[] = [
  ...FINDING,
  ...FIGURES,
  ...DOCS,
  ...SELLING,
  ...MOVING_MONEY,
  ...TRYING,
];

/**
 * What a pair may read; of what writes only where its scopes name `mcp:write` beside the area, which no pair without
 * scopes has.
 */
export function listTools(caller: Caller): Tool[] {
  return TOOLS.filter(({ kind, areas }) => {
    if (kind === 'read') return areas.every((area) => mayDo(caller, area, 'read'));
    if (caller.isReadOnly || (kind === 'write in test mode' && !caller.scope.testMode)) return false;
    return mayDo(caller, 'mcp', 'write') && areas.every((area) => mayDo(caller, area, 'write'));
  });
}
