/** `npm run bench:cli`: how long a command takes to begin, beside Node.js itself, and how large the program is. */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROUNDS = process.argv.includes('--short') ? 3 : 20;
const folder = new URL('../cli/dist/', import.meta.url);
const program = fileURLToPath(new URL('main.js', folder));

const fastestMs = (args) => {
  const times = Array.from({ length: ROUNDS }, () => {
    const beganMs = performance.now();
    execFileSync(process.execPath, args, { stdio: 'ignore' });
    return performance.now() - beganMs;
  });
  return Math.min(...times);
};

const bare = fastestMs(['-e', '0']);
const started = fastestMs([program, 'profiles', 'list']);
const bytes = ['main.js', 'operations.json'].map((name) => statSync(new URL(name, folder)).size);
const kb = bytes.map((size) => (size / 1000).toFixed(0));
console.log(`start ${started.toFixed(0)} ms (Node.js alone ${bare.toFixed(0)} ms), aim 150 ms`);
console.log(`size ${kb[0]} kB and ${kb[1]} kB of operations, aim 300 kB`);
