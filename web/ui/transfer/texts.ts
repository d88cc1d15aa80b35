/** The words of a transfer, which come with its drawing. */
import type english from './texts/en.json';

export type TransferTexts = typeof english;

const FILES = import.meta.glob<TransferTexts>('./texts/*.json', { import: 'default' });

/** English where there are none of the language. */
export async function loadTransferTexts(language: string): Promise<TransferTexts> {
  const load = FILES[`./texts/${language}.json`] ?? FILES['./texts/en.json'];
  if (!load) throw new Error('the build lacks the texts of a transfer');
  return load();
}
