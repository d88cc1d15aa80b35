/** Keys of sealed files, as an operator gives them: never on the command line, where others of the machine read them. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { createOpener, createSealer, type Sealer } from '../../providers/files/age.ts';
import { passOnInterrupt } from '../stop-signal.ts';
import { UsageError } from './operator-store.ts';

/** By whom a file is to be read; null = by whoever has it. */
export async function askSealer({
  recipients,
  withPassphrase,
}: {
  recipients: readonly string[];
  withPassphrase: boolean;
}): Promise<Sealer | null> {
  if (withPassphrase) {
    const passphrase = await askHidden('Passphrase: ');
    if (passphrase === '')
      throw new UsageError('The passphrase is empty: whoever has the file would read it.');
    return createSealer({ recipients: [], passphrase });
  }
  return recipients.length === 0 ? null : createSealer({ recipients, passphrase: null });
}

/** `identityFile`: of lines, as age-keygen writes it; null = a passphrase is asked for. */
export async function askOpener(identityFile: string | null): Promise<Sealer> {
  if (identityFile === null)
    return createOpener({ identities: [], passphrase: await askHidden('Passphrase: ') });
  const lines = (await readFile(identityFile, 'utf8')).split('\n').map((line) => line.trim());
  return createOpener({
    identities: lines.filter((line) => line.startsWith('AGE-SECRET-KEY-')),
    passphrase: null,
  });
}

/** Typed without being shown; piped in, the first line. */
async function askHidden(question: string): Promise<string> {
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write(question);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: isTTY });
  passOnInterrupt(terminal);
  try {
    for await (const line of terminal) return line;
    return '';
  } finally {
    terminal.close();
    if (isTTY) process.stderr.write('\n');
  }
}
