/** The words of what buyers state, beside those that all pages share. */
import { createOwnTexts } from '../ui/own-texts.ts';
import type english from './texts/en.json';

const own = createOwnTexts(import.meta.glob<typeof english>('./texts/*.json', { import: 'default' }));

export const loadStatementTexts = own.load;
export const s = own.text;
