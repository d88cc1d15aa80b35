/**
 * Fails when what a buyer's browser loads for a page to pay on (its script, styles and the largest language)
 * is larger than the limit. Run after the build.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT_BYTES = 60 * 1024;
const dist = (file) => fileURLToPath(new URL(`../dist/${file}`, import.meta.url));
const gzipBytes = (file) => gzipSync(readFileSync(dist(file))).length;

const manifest = JSON.parse(readFileSync(dist('manifest.json'), 'utf8'));
const languages = Object.entries(manifest).filter(([key]) => key.startsWith('ui/texts/'));
const languageBytes = Math.max(0, ...languages.map(([, chunk]) => gzipBytes(chunk.file)));

for (const name of ['checkout', 'pay']) {
  const files = new Set();
  collect(
    Object.values(manifest).find((chunk) => chunk.isEntry && chunk.name === name),
    files,
  );
  const totalBytes = [...files].reduce((sum, file) => sum + gzipBytes(file), languageBytes);
  console.log(`The page "${name}":`);
  for (const file of files) console.log(`${String(gzipBytes(file)).padStart(7)}  ${file}`);
  console.log(`${String(languageBytes).padStart(7)}  the largest language`);
  console.log(`${String(totalBytes).padStart(7)}  of ${LIMIT_BYTES} bytes gzipped`);
  if (totalBytes > LIMIT_BYTES) process.exitCode = 1;
}

function collect(chunk, files) {
  files.add(chunk.file);
  for (const file of chunk.css ?? []) files.add(file);
  for (const key of chunk.imports ?? []) collect(manifest[key], files);
}
