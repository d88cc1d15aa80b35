/** What a tool is: constants that say what it does, whom it is shown to, and how it answers. */
import type { Static, TSchema } from 'typebox';
import type { Caller } from './caller.ts';
import type { Part } from './parts.ts';

export interface Question {
  /** What the user of the assistant is asked. */
  message: string;
  /** Comes back with their answer. */
  state: string;
}

/** What came back with a question's answer; null = nothing was asked. */
export interface Answered {
  state: string;
  /** Null = no answer came; false = they said no. */
  isConfirmed: boolean | null;
}

export interface Call<A> {
  caller: Caller;
  args: A;
  answered: Answered | null;
}

export type Outcome = { data: unknown } | { question: Question };

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** Read; write; of those that write, in test mode alone. */
  kind: 'read' | 'write' | 'write in test mode';
  /** Areas that the pair must be allowed, as the tool reads or writes them. */
  areas: readonly string[];
  /** Whether what it does cannot be undone. */
  isDestructive?: boolean;
  input: TSchema;
  output: Part;
  run(call: Call<never>): Promise<Outcome>;
}

/** A tool whose arguments are typed by its schema. */
export function tool<I extends TSchema>(
  declared: Omit<Tool, 'input' | 'run'> & { input: I; run: (call: Call<Static<I>>) => Promise<Outcome> },
): Tool {
  return declared;
}
