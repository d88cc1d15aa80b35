/** The words of the log, as a page. */
import { LOG_EVENTS } from '../server/src/domain/log-events.ts';

const HEAD = `# What the log tells

A line of JSON each, to standard output: \`time\`, \`level\` (30 info, 40 warn, 50 error), \`event\`, \`msg\`, and where they
apply \`requestId\`, \`traceId\`, \`route\`, \`status\`, \`ms\`, \`workspaceId\`, \`kind\`, \`refId\` and \`err\` with its code,
message and stack. \`event\` stays while sentences are rewritten; \`other\` is what libraries say. What was sent or asked for is in
no line: no bodies, no query values, no headers, no keys, no links that open something, no e-mails, and of addresses the network alone.
The same error again within 10 s is counted and told once, with \`repeated\`. What is told is set by
[\`LOG_LEVEL\` and \`LOG_FORMAT\`](configuration.md).

| Event | Level | Says |
|---|---|---|`;

export function listLogEvents(note: string): string {
  const rows = Object.entries(LOG_EVENTS).map(
    ([name, { level, says }]) => `| \`${name}\` | ${level} | ${says} |`,
  );
  return [note, HEAD, ...rows, ''].join('\n');
}
