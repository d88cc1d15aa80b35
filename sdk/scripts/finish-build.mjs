/** What a build of both kinds of modules needs beside what the compiler writes. */
import { writeFileSync } from 'node:fs';

writeFileSync('dist/cjs/package.json', '{"type":"commonjs"}\n');
// They are types alone, and most of the package: they lie there once.
writeFileSync('dist/esm/generated/types.d.ts', "export type * from '../../cjs/generated/types.js';\n");
