import { writeFileSync } from 'node:fs';
import { toMarkdown } from '../rules/all.ts';

writeFileSync(new URL('../RULES.md', import.meta.url), toMarkdown());
