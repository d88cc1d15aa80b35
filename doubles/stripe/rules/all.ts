import { OF_CALLS, OF_STATES, OF_TYPES } from './of-calls.ts';
import { OF_METHODS } from './of-methods.ts';
import { OF_OBJECTS } from './of-objects.ts';
import type { Rule } from './rule.ts';

export const RULES: readonly Rule[] = [...OF_TYPES, ...OF_STATES, ...OF_CALLS, ...OF_METHODS, ...OF_OBJECTS];

export function toMarkdown(): string {
  const rows = RULES.map(({ says, page }, index) => `| ${index + 1} | ${says} | ${page} |`);
  return `# Rules of Stripe

What the stand-in holds to, and where Stripe says it. Written by \`scripts/write-rules.ts\` from the table in \`rules\`,
each row of which is a test; \`npm run double:verify -- --key sk_test_…\` tries them on Stripe itself.

| | Rule | Page |
|---|---|---|
${rows.join('\n')}
`;
}
