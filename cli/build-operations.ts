/** Writes what the commands are made of beside the build: the operations as the service describes them. */
import { writeFileSync } from 'node:fs';
import { readDescribed } from './described.ts';
import { readCatalogue } from './src/operations.ts';

const here = (path: string) => new URL(path, import.meta.url);
writeFileSync(here('dist/operations.json'), JSON.stringify(readCatalogue(readDescribed())));
