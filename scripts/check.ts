/** `npm run check`: types, lint, format and the law of the house. One line a check; what is wrong, above it. */
import { spawn } from 'node:child_process';
import { checkCases } from './check-cases.ts';
import { checkCommits } from './check-commits.ts';
import { checkDescription } from './check-description.ts';
import { checkDocs } from './check-docs.ts';
import { checkDoubles } from './check-doubles.ts';
import { checkExport } from './check-export.ts';
import { checkExports } from './check-exports.ts';
import { checkGrowth } from './check-growth.ts';
import { checkGuides } from './check-guides.ts';
import { checkImports } from './check-imports.ts';
import { checkMigrations } from './check-migrations.ts';
import { checkSchema } from './check-schema.ts';
import { checkSdk } from './check-sdk.ts';
import { checkSizes } from './check-sizes.ts';
import { checkTexts } from './check-texts.ts';
import { checkGeneratedDocs } from './generate-docs.ts';
import { checkMonitoring } from './monitoring.ts';
import { ROOT } from './source-files.ts';

interface Check {
  name: string;
  /** Answers what is wrong, a line each. */
  run: () => Promise<string[]>;
}

/** Programs of their own. */
const PROGRAMS: readonly Check[] = [
  {
    name: 'types of the server',
    run: () => runCommand('typescript/bin/tsc', ['-p', 'server/tsconfig.json']),
  },
  { name: 'types of the web', run: () => runCommand('typescript/bin/tsc', ['-p', 'web/tsconfig.json']) },
  {
    name: 'types of the command line',
    run: () => runCommand('typescript/bin/tsc', ['-p', 'cli/tsconfig.json']),
  },
  { name: 'types of the embed', run: () => runCommand('typescript/bin/tsc', ['-p', 'embed/tsconfig.json']) },
  { name: 'types of the SDK', run: () => runCommand('typescript/bin/tsc', ['-p', 'sdk/tsconfig.json']) },
  {
    name: 'types of the dashboard',
    run: () => runCommand('typescript/bin/tsc', ['-p', 'web/dashboard/tsconfig.json']),
  },
  {
    name: "types of Stripe's stand-in",
    run: () => runCommand('typescript/bin/tsc', ['-p', 'doubles/stripe/tsconfig.json']),
  },
  {
    name: "types of PayPal's stand-in",
    run: () => runCommand('typescript/bin/tsc', ['-p', 'doubles/paypal/tsconfig.json']),
  },
  {
    name: 'lint and format',
    run: () => runCommand('@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--colors=off']),
  },
];

const CHECKS: readonly Check[] = [
  { name: 'direction of imports', run: checkImports },
  { name: 'exports that nothing uses', run: checkExports },
  { name: 'stand-ins', run: checkDoubles },
  { name: 'sizes', run: checkSizes },
  { name: 'texts', run: checkTexts },
  { name: 'migrations', run: checkMigrations },
  { name: 'schema', run: checkSchema },
  { name: 'bounds of tables', run: checkGrowth },
  { name: 'tables of exports', run: checkExport },
  { name: 'paths in the docs', run: checkDocs },
  { name: 'code in the guides', run: checkGuides },
  { name: 'alerts and runbooks', run: checkMonitoring },
  { name: 'numbered cases', run: listCases },
  { name: 'reasons of commits', run: checkCommits },
  { name: 'generated docs', run: checkGeneratedDocs },
  { name: 'description of the API', run: checkDescription },
  { name: 'the SDK', run: checkSdk },
];

/** Cases of a part that is still being built are told, and fail nothing. */
async function listCases(): Promise<string[]> {
  const { problems, notes } = await checkCases();
  for (const note of notes) console.log(`  ${note}`);
  return problems;
}

/** Runs a program of an installed package; its output is what is wrong when it fails. */
function runCommand(program: string, args: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [`node_modules/${program}`, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? [] : [output.trim() || `${program} failed`]));
  });
}

let failed = 0;
// There are two cores: the programs run beside what this process looks at, and beside each other once that is done.
const programs = PROGRAMS.values();
await Promise.all([runAll(programs), runAll(CHECKS.values()).then(() => runAll(programs))]);
process.exitCode = failed === 0 ? 0 : 1;

/** Several may take from the same ones. */
async function runAll(checks: IterableIterator<Check>): Promise<void> {
  for (const check of checks) {
    const startedMs = performance.now();
    const problems = await check.run();
    for (const problem of problems) console.error(`  ${problem.replaceAll('\n', '\n  ')}`);
    if (problems.length > 0) failed += 1;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`);
  }
}
