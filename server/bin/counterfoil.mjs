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
  const isWhole = word === '__complete' && completeCommands(process.argv.slice(3));
  if (!isWhole) await runMerchants(process.argv.slice(2));
}

async function runOperators(word) {
  // The command reads what follows its name.
  process.argv.splice(2, 1);
  if (word === 'start') endWithParent(ORPHAN_GRACE_MS);
  let done;
  try {
    done = await import(new URL(`../dist/run/${COMMANDS[word].file}.js`, import.meta.url).href);
  } catch (error) {
    if (!String(error?.code).startsWith('ERR_PARSE_ARGS')) throw error;
    const message = `${error.message}\n\n${toUsage(word)}`;
    if (process.argv.includes('--json'))
      console.log(JSON.stringify({ error: { code: 'usage', message, details: [] } }));
    else console.error(message);
    process.exit(USAGE_CODE);
  }
  if (word !== 'doctor') return;
  const beside = done.hasLooked ? ['--beside-store'] : [];
  if (done.isHeldTold) beside.push('--held-beside');
  if (process.exitCode) beside.push('--found-beside', String(done.foundCount));
  await runMerchants(['doctor', ...process.argv.slice(2), ...beside]);
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

/** What the last word may become of the operators' commands; answers whether the merchant's have none. */
function completeCommands(asked) {
  // Before what was typed stands a word that ends our own flags.
  const words = asked[0] === '--' ? asked.slice(1) : asked;
  const last = words.at(-1) ?? '';
  const isInside = words.length > 1;
  const candidates = isInside ? listWords(words[0], words) : Object.keys(COMMANDS).filter(isOperators);
  for (const one of candidates.sort()) if (one.startsWith(last)) console.log(one);
  return isInside && isOperators(words[0]);
}

/** Beside a store `doctor` is the merchant's, too. */
function isOperators(name) {
  return name !== 'doctor' && Object.hasOwn(COMMANDS, name);
}

/** Of the lines that the help shows: the verb where it is its turn, and flags once one is begun. */
function listWords(name, words) {
  if (!isOperators(name)) return [];
  const { takes } = COMMANDS[name];
  if (words.at(-1).startsWith('-')) {
    const talk = name === 'start' ? [] : ['--json', '--quiet'];
    return [...new Set([...takes.flatMap((line) => line.match(/--[a-z-]+/g) ?? []), ...talk, '--help'])];
  }
  return words.length > 2 ? [] : takes.map((line) => line.split(' ')[0]).filter((one) => /^[a-z]/.test(one));
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
