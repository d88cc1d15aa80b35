/** An operation of the API as a command. */
import type { Command } from 'commander';
import type { Io } from '../io.ts';
import type { Field, Operation } from '../operations.ts';
import { openPair, withExample, withPair, withYes } from '../own-command.ts';
import { runOperation } from '../run-operation.ts';

export function addOperation(io: Io, noun: Command, operation: Operation): void {
  const { verb, ids, summary, query, body, columns, hasBody, example } = operation;
  const command = withPair(noun.command([verb, ...ids.map((id) => `<${id}>`)].join(' '))).description(
    summary,
  );
  const fields = [...query, ...body];
  for (const field of fields) {
    const words = `--${field.flag} ${toPlace(field)}`;
    if (field.kind === 'list') command.option(words, field.description, addToList);
    else command.option(words, field.description);
  }
  if (operation.method !== 'GET') withYes(command);
  if (hasBody)
    command.option('--data <json>', 'the body as JSON, @file, or - for stdin; flags are laid over it');
  if (columns.length > 0) command.option('--all', 'every row').option('--max <n>', 'so many rows at most');
  withExample(command, example);
  command.action(async (...parts: unknown[]) => {
    const given = parts.slice(0, ids.length).map(String);
    const values = command.opts<Record<string, string | true>>();
    const flags = Object.fromEntries(fields.map(({ flag }) => [flag, values[toAttribute(flag)]]));
    const { data, all, max, yes, json, profile, baseUrl } = values as Record<string, never>;
    const { pair, call } = await openPair(io, { profile, baseUrl });
    await runOperation(io, {
      call,
      pair,
      operation,
      given: { ids: given, flags, data, all, max, yes, json },
    });
  });
}

/** One that is said again is said beside, not instead. */
const addToList = (one: string, before: string | undefined) =>
  before === undefined ? one : `${before},${one}`;

const toPlace = ({ kind }: Field) =>
  kind === 'boolean' ? '[true|false]' : kind === 'json' ? '<json>' : kind === 'list' ? '<a,b>' : '<value>';

/** As commander calls a flag. */
const toAttribute = (flag: string) =>
  flag.split('-').reduce((name, word) => name + word.charAt(0).toUpperCase() + word.slice(1));
