/** The words of the pages behind the links of a payment and of a card, beside those that all pages share. */
import { createOwnTexts } from '../ui/own-texts.ts';
import type english from './texts/en.json';

const own = createOwnTexts(import.meta.glob<typeof english>('./texts/*.json', { import: 'default' }));

export const loadPayTexts = own.load;
export const payText = own.text;
export const payCount = own.count;
