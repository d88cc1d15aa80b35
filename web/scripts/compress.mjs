/** Writes every asset of the build in its compressed forms beside it: compressed once here, never while it is served. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const folders = ['../dist/', '../dist/embed/'].map((one) => fileURLToPath(new URL(one, import.meta.url)));
/** Below it the headers of an answer weigh more than what is saved. */
const BYTES_MIN = 512;

for (const folder of folders) {
  for (const name of readdirSync(folder).filter((one) => /\.(js|css|svg)$/.test(one))) {
    const bytes = readFileSync(folder + name);
    if (bytes.length < BYTES_MIN) continue;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${folder + name}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${folder + name}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
