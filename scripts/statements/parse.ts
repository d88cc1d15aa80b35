/** PostgreSQL's own parser, compiled for Node. */
import { loadModule, type ParseResult, parseSync } from 'libpg-query';

await loadModule();

export function parse(text: string): ParseResult {
  return parseSync(text);
}
