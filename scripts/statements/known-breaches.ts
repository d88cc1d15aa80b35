import { readFileSync } from 'node:fs';

/** By file of `server`: `<rule> <what>`. */
export type KnownBreaches = Readonly<Record<string, readonly string[]>>;

/** Files and folders whose statements ask all stores at once, as they are meant to. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  'src/invariants/': 'an operator asks what must hold in all stores, in one snapshot',
  'src/main/operators/doctor/': 'an operator asks how the whole installation is',
  'src/main/watching/store-figures.ts': 'gauges of the whole installation, from one process',
  'src/resources/installation/files-place.queries.ts': 'an operator moves the files of all stores',
  'src/resources/installation/held.queries.ts':
    'an operator is asked, at a start, whether this may be a copy',
  'src/resources/links/': 'links of before, and ids in links, name no workspace',
  'src/resources/sealed-values/': 'an operator has all values sealed anew',
  'src/resources/exports/whole-store.queries.ts': 'a backup reads the tables of all workspaces',
};

/**
 * What broke the law when it was written down: the list only grows shorter. `npm run check:statements -- --list` prints
 * what a run has noted in the same form.
 */
export const KNOWN_BREACHES = readKnown();

function readKnown(): KnownBreaches {
  const file = new URL('known-breaches.json', import.meta.url);
  // Ours, in the form that the check prints.
  return JSON.parse(readFileSync(file, 'utf8')) as KnownBreaches;
}
