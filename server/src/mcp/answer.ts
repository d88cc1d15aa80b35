/** What a tool's answer looks like on the wire: values that fit the schema, and the same as text within a fence. */
import { type Caller, mayDo, type ToolRefusal } from './caller.ts';
import { type Reading, toCleanValue, toFenced } from './clean.ts';
import type { Tool } from './tool.ts';

const ANSWER_BYTES_MAX = 64 * 1024;

/** A type and no interface: the library wants fields of any name to fit. */
type Answer = {
  content: Array<{ type: 'text'; text: string }>;
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
};

const toReading = (caller: Caller): Reading => ({
  mayReadEmails: mayDo(caller, 'users', 'read'),
  origin: new URL(caller.service.config.publicUrl).origin,
  truncated: false,
});

/** Rows are left out until it fits, from the longest list. */
export function toAnswer({ output }: Tool, caller: Caller, data: unknown): Answer {
  const reading = toReading(caller);
  // An object's part answers an object, or null for nothing.
  const told = (output.read(data ?? {}, reading) ?? {}) as Record<string, unknown>;
  for (;;) {
    const structuredContent = { ...told, truncated: reading.truncated };
    const answer: Answer = {
      content: [{ type: 'text', text: toFenced(structuredContent) }],
      structuredContent,
    };
    if (Buffer.byteLength(JSON.stringify(answer)) <= ANSWER_BYTES_MAX) return answer;
    reading.truncated = true;
    const longest = findLongest(told);
    if (!longest)
      return { content: answer.content.map(({ type }) => ({ type, text: '' })), structuredContent: {} };
    longest.splice(Math.floor(longest.length / 2));
  }
}

/** The list that takes most room. */
function findLongest(value: unknown): unknown[] | null {
  let longest: { list: unknown[]; bytes: number } | null = null;
  const look = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return;
    if (Array.isArray(one) && one.length > 0) {
      const bytes = JSON.stringify(one).length;
      if (!longest || bytes > longest.bytes) longest = { list: one, bytes };
    }
    for (const inner of Object.values(one)) look(inner);
  };
  look(value);
  return (longest as { list: unknown[] } | null)?.list ?? null;
}

export function toRefused(caller: Caller, { told }: ToolRefusal): Answer {
  const error = toCleanValue(told, toReading(caller));
  return { content: [{ type: 'text', text: toFenced({ error }) }], isError: true };
}
