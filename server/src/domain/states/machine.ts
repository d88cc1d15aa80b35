/**
 * States move only along these tables, which are data: one file per kind of object, no effects.
 * Whoever moves a state writes its event in the same transaction.
 */
import { assert } from '../assert.ts';

export interface Machine<State extends string> {
  /** The kind of object, for messages. */
  name: string;
  /** The states in which an object may come into being. */
  initial: readonly State[];
  moves: Readonly<Record<State, readonly State[]>>;
}

/** Whether the table has the move. Staying where one is, is no move. */
export function canMove<State extends string>(machine: Machine<State>, from: State, to: State): boolean {
  return machine.moves[from].includes(to);
}

/**
 * Answers `to`, and crashes when the table has no such move: a caller that may be asked for an
 * impossible move by a request checks `canMove` first and refuses.
 */
export function move<State extends string>(machine: Machine<State>, from: State, to: State): State {
  assert(canMove(machine, from, to), `${machine.name} cannot move from ${from} to ${to}`);
  return to;
}
