/** A line of the log as somebody reads it at a terminal. */

const WORDS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

export function toLineOfText(line: string): string {
  try {
    const { time, level, event, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
    const fields = Object.entries(rest).map(([name, value]) => `${name}=${toWord(value)}`);
    const head = [time, (WORDS[Number(level)] ?? String(level)).padEnd(5), event, msg, ...fields].join('  ');
    return `${head}\n${toTrace(err)}`;
  } catch {
    return line;
  }
}

const toWord = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function toTrace(err: unknown): string {
  if (typeof err !== 'object' || err === null) return '';
  const { stack, message, code } = err as Record<string, unknown>;
  const text = String(stack ?? message ?? code ?? '');
  return text === '' ? '' : `${text.replace(/^/gm, '    ')}\n`;
}
