/** The flags of the operators' commands, as their sources name them. */
import { readFileSync } from 'node:fs';
import { COMMANDS } from '../server/bin/commands.mjs';
import { TALK_FLAGS } from '../server/src/main/operators/manners.ts';
import { toCommandSource } from './command-sources.ts';

const FLAG = /--([a-z][a-z-]+)/g;

/** By command; what a source does not name there is none. */
export const PROGRAM_FLAGS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, { file }]) => {
    const source = readFileSync(toCommandSource(file), 'utf8');
    const told = [...source.matchAll(FLAG)].map(([, flag = '']) => flag);
    const read = [...source.matchAll(/^ {4}'?([a-z-]+)'?: \{ type: '(?:string|boolean)'/gm)].map(
      ([, flag = '']) => flag,
    );
    return [name, [...told, ...read, ...Object.keys(TALK_FLAGS)]];
  }),
);
