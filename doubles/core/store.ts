/** All that the stand-in knows, as named tables, and the file that brings it back after a kill. */
import { appendFileSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

type Write = [table: string, id: string, value: unknown];

export class Store {
  readonly #tables = new Map<string, Map<string, unknown>>();
  readonly #changed = new Map<string, Write>();
  readonly #file: number | null;

  /** Without a path nothing outlives the process. */
  constructor(path: string | null) {
    if (path === null) {
      this.#file = null;
      return;
    }
    if (existsSync(path)) this.#replay(path);
    this.#file = openSync(path, 'a');
  }

  get<T>(table: string, id: string): T | undefined {
    return this.#table(table).get(id) as T | undefined;
  }

  /** Also after a change within the value, so that it is written. */
  put<T>(table: string, id: string, value: T): T {
    this.#table(table).set(id, value);
    this.#changed.set(`${table} ${id}`, [table, id, value]);
    return value;
  }

  remove(table: string, id: string): void {
    if (this.#table(table).delete(id)) this.#changed.set(`${table} ${id}`, [table, id, null]);
  }

  /** In the order in which they came. */
  list<T>(table: string): T[] {
    return [...this.#table(table).values()] as T[];
  }

  size(table: string): number {
    return this.#table(table).size;
  }

  /** Writes what changed as one line: a kill loses the whole step or nothing of it. */
  commit(): void {
    if (this.#changed.size === 0) return;
    const writes = [...this.#changed.values()];
    this.#changed.clear();
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(writes)}\n`);
  }

  #table(name: string): Map<string, unknown> {
    const known = this.#tables.get(name);
    if (known) return known;
    const made = new Map<string, unknown>();
    this.#tables.set(name, made);
    return made;
  }

  #replay(path: string): void {
    const text = readFileSync(path, 'utf8');
    for (const line of text.split('\n')) {
      const writes = readLine(line);
      for (const [table, id, value] of writes) {
        if (value === null) this.#table(table).delete(id);
        else this.#table(table).set(id, value);
      }
    }
    // The kill may have come within a line: what follows begins on one of its own.
    if (text !== '' && !text.endsWith('\n')) appendFileSync(path, '\n');
  }
}

function readLine(line: string): Write[] {
  try {
    return line === '' ? [] : (JSON.parse(line) as Write[]);
  } catch {
    return [];
  }
}
