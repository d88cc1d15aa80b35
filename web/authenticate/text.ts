/** The words of the sandbox bank's page, beside those that all pages share: no buyer of a live shop loads them. */
import { createOwnTexts } from '../ui/own-texts.ts';
import type english from './texts/en.json';

const own = createOwnTexts(import.meta.glob<typeof english>('./texts/*.json', { import: 'default' }));

export const loadBankTexts = own.load;
export const bankText = own.text;
