/** Writes what the commands are made of beside the build: the operations as the service describes them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Description, readCatalogue } from './src/operations.ts';

const here = (path: string) => new URL(path, import.meta.url);
const description = JSON.parse(readFileSync(here('../docs/openapi.json'), 'utf8')) as Description;
writeFileSync(here('dist/operations.json'), JSON.stringify(readCatalogue(description)));
