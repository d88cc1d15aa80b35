/** Writes what the commands are made of beside the build: the operations as the service describes them. */
import { readFileSync, writeFileSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);
writeFileSync(
  here('dist/openapi.json'),
  JSON.stringify(JSON.parse(readFileSync(here('../docs/openapi.json')))),
);
