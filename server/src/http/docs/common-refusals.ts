/** What many operations refuse alike: said once where all of them are read in one go. */
import type { Description, NamedOperation } from '../description/document.ts';
import { listRefusals } from './operation-page.ts';

interface Group {
  which: string;
  has(operation: NamedOperation): boolean;
}

const GROUPS: readonly Group[] = [
  { which: 'Every operation', has: () => true },
  { which: 'Every one that is no `GET`', has: ({ method }) => method.toLowerCase() !== 'get' },
  { which: 'Every one with a name in the SDK', has: ({ one }) => Boolean(one['x-sdk']) },
];

export interface CommonRefusals {
  /** As Markdown. */
  text: string;
  /** Those that need not be said of an operation. */
  of(operation: NamedOperation): ReadonlySet<string>;
}

/** Only what all of a group refuse is told of it, so that no operation is said to refuse what it never does. */
export function findCommonRefusals(
  description: Description,
  operations: readonly NamedOperation[],
): CommonRefusals {
  const told: Array<Group & { codes: string[] }> = [];
  for (const group of GROUPS) {
    const known = new Set(told.flatMap(({ codes }) => codes));
    const lists = operations.filter(group.has).map(({ one }) => listRefusals(description, one));
    const [first = [], ...others] = lists;
    const codes = first.filter((code) => !known.has(code) && others.every((list) => list.includes(code)));
    told.push({ ...group, codes });
  }
  const lines = told.map(({ which, codes }) => `- ${which}: ${codes.join(', ')}.`);
  return {
    text: `What operations refuse alike is not said of each again:\n\n${lines.join('\n')}`,
    of: (operation) => new Set(told.filter((group) => group.has(operation)).flatMap(({ codes }) => codes)),
  };
}
