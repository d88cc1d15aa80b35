#!/usr/bin/env node
/**
 * `counterfoil`: starts the service, and is its operators' commands and the merchant's. Nothing is loaded before the
 * version of Node.js is known to do.
 */
import { existsSync } from 'node:fs';
import { endWithParent } from '../../scripts/forebears.mjs';
import { COMMANDS } from './commands.mjs';

const NODE_MIN = [20, 19];
/** Of all commands, where the words are no command; and of a Node.js that is too old, which is no bug of ours. */
const USAGE_CODE = 2;
/** What all of them take beside their own. */
const TALK = '\n\n  --json   data as JSON, also of a failure\n  --quiet  data and failures alone';
/** A stop in good order ends by itself before: one that is cut short leaves PostgreSQL behind. The port is free at its beginning. */
const ORPHAN_GRACE_MS = 30_000;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1])) {
  console.error(
    `Counterfoil needs Node.js ${NODE_MIN.join('.')} or newer; this is ${process.versions.node}.`,
  );
  process.exit(USAGE_CODE);
}

const word = process.argv[2] ?? 'start';
if (Object.hasOwn(COMMANDS, word)) {
  if (process.argv.slice(3).some((one) => one === '--help' || one === '-h')) tellCommand(word);
  else await runOperators(word);
} else {
  if (['--help', '-h', 'help'].includes(word)) tellCommands();
  if (word === '__complete') completeCommands(process.argv.slice(3).filter((one) => one !== '--'));
  await runMerchants(process.argv.slice(2));
}

async function runOperators(word) {
  // The command reads what follows its name.
  process.argv.splice(2, 1);
  if (word === 'start') endWithParent(ORPHAN_GRACE_MS);
  try {
    await import(new URL(`../dist/run/${COMMANDS[word].file}.js`, import.meta.url).href);
  } catch (error) {
    if (!String(error?.code).startsWith('ERR_PARSE_ARGS')) throw error;
    const message = `${error.message}\n\n${toUsage(word)}`;
    if (process.argv.includes('--json'))
      console.log(JSON.stringify({ error: { code: 'usage', message, details: [] } }));
    else console.error(message);
    process.exit(USAGE_CODE);
  }
  if (word === 'doctor') await runMerchants(['doctor', ...process.argv.slice(2)]);
}

/** Their program finds what its commands are made of beside itself. */
async function runMerchants(words) {
  process.argv.splice(2, process.argv.length, ...words);
  const program = new URL('../../cli/dist/main.js', import.meta.url);
  if (!existsSync(program)) {
    // A package has it; a start of a clone has no need of it.
    console.error("The merchant's commands are not built: npm run build --workspace cli");
    process.exit(1);
  }
  await import(program.href);
}

/** What the first word may become of the operators' commands; the merchant's program tells its own. */
function completeCommands(words) {
  if (words.length > 1) return;
  const [typed = ''] = words;
  for (const name of Object.keys(COMMANDS))
    if (name !== 'doctor' && name.startsWith(typed)) console.log(name);
}

/** Of one command: nothing is done. */
function tellCommand(word) {
  console.log(`${toUsage(word)}\n\n${COMMANDS[word].does}${word === 'start' ? '' : TALK}`);
}

function toUsage(word) {
  const lines = COMMANDS[word].takes.map((words) => `  counterfoil ${word} ${words}`.trimEnd());
  return ['Usage:', ...lines].join('\n');
}

function tellCommands() {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(width)}  ${does}`);
  console.log(['The service, and its operators beside it:', ...lines, ''].join('\n'));
}
