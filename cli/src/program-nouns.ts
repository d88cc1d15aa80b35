/** A noun has one command, whoever adds a verb to it first. */
import type { Command } from 'commander';

export const nounOf = (program: Command, noun: string): Command =>
  program.commands.find((command) => command.name() === noun) ?? program.command(noun);
