/** Fails for each code of the error catalogue that no answer had in the runs of the tests that noted theirs in CODES_DIR. */
import { listUnprovoked } from '../server/test/support/provoked-codes.ts';

const folder = process.env.CODES_DIR;
if (!folder) throw new Error('CODES_DIR names the folder in which the runs of the tests noted the codes');
const missing = listUnprovoked(folder);
for (const code of missing) console.error(`No test provokes ${code} of server/src/domain/errors.ts.`);
if (missing.length > 0) process.exit(1);
console.log('Every code of the catalogue was answered in some test.');
