/**
 * Fails on a text that a language lacks, that has other places to fill than the English one, or too few forms for its
 * plurals, and on a button that outgrows its English by more than 1.6.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { LANGUAGES } from '../server/src/domain/languages.ts';
import { ROOT } from './source-files.ts';

type Texts = Record<string, string>;

interface Part {
  folder: string;
  /** Its words on buttons. */
  buttons: RegExp;
}

const PARTS: readonly Part[] = [
  {
    folder: 'web/ui/texts',
    buttons:
      /^(code\.apply|submit\.(pay|trial|free|transfer)|notice\.tryAgain|action\.continue|receipt\.(copy|download|redirectNow|redirectStay)|expired\.again|testCards\.(success|authenticate|declined|insufficient|unknown)|open\.goOn)$/,
  },
  { folder: 'web/authenticate/texts', buttons: /^(approve|reject)$/ },
  {
    folder: 'web/pay/texts',
    buttons: /^(pay\.stored\.(send|again|open|pay)|pay\.again|cardPage\.submit)$/,
  },
  {
    folder: 'web/portal/texts',
    buttons:
      /^(signIn\.(continue|submit|again|usePassword|useCode|find|open|back)|need\.(pay|answer|see)|orders\.more|order\.(invoice|creditNote)|library\.(show|copy|download)|sub\.(change|pause|resume|cancel|keep|pay|again)|change\.(submit|submitPay)|cancel\.(submit|stay)|methods\.(use|useAll|remove|add)|details\.save|account\.(signOut|everywhere)|back)$/,
  },
  {
    folder: 'web/statements/texts',
    buttons: /^((withdraw|cancel|object|keep|stop)\.submit|statement\.confirmation)$/,
  },
  { folder: 'web/ui/transfer/texts', buttons: /^$/ },
  { folder: 'server/src/domain/mails/texts', buttons: /(^button\.|\.button$)/ },
  { folder: 'server/src/documents/texts', buttons: /^$/ },
];

/** What a button may grow to, times its English. */
const GROWTH_MAX = 1.6;
/** A place is as long as what usually fills it. */
const FILLED = '12345678';

export async function checkTexts(): Promise<string[]> {
  return PARTS.flatMap((part) => {
    const files = readdirSync(`${ROOT}/${part.folder}`).filter((name) => name.endsWith('.json'));
    const missing = LANGUAGES.filter((language) => !files.includes(`${language}.json`));
    const english = read(part.folder, 'en');
    return [
      ...missing.map((language) => `${part.folder}: there is no ${language}.json`),
      ...files
        .map((name) => name.replace('.json', ''))
        .flatMap((language) => compareTexts(english, read(part.folder, language), { language, ...part })),
    ];
  });
}

function read(folder: string, language: string): Texts {
  // Our own files, flat by the rule that is checked here.
  return JSON.parse(readFileSync(`${ROOT}/${folder}/${language}.json`, 'utf8')) as Texts;
}

/** What is wrong with the texts of a language, measured by the English ones. */
export function compareTexts(
  english: Texts,
  texts: Texts,
  { language, folder, buttons }: { language: string } & Part,
): string[] {
  const say = (key: string, what: string) => `${folder}/${language}.json: ${key} ${what}`;
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const wanted = Object.keys(english).flatMap((key) => listForms(english, key, forms));
  const lacking = wanted.filter((key) => !Object.hasOwn(texts, key)).map((key) => say(key, 'is missing'));
  const problems = Object.entries(texts).flatMap(([key, text]) => {
    if (!wanted.includes(key)) return [say(key, 'is nothing of the English texts')];
    const model = english[key] ?? english[toOther(key)] ?? '';
    const places = listPlaces(text);
    // A form for one may say it in a word.
    const isFree = key.endsWith('.one') && places.every((place) => listPlaces(model).includes(place));
    const isFilled = String(places) === String(listPlaces(model));
    const isLong = buttons.test(key) && measure(text) > measure(model) * GROWTH_MAX;
    return [
      ...(isFilled || isFree ? [] : [say(key, 'has other places to fill than the English text')]),
      ...(isLong ? [say(key, `is a button longer than ${GROWTH_MAX} × “${model}”`)] : []),
    ];
  });
  return [...lacking, ...problems];
}

const FORM = /\.(zero|one|two|few|many|other)$/;
const toOther = (key: string) => key.replace(FORM, '.other');

/** The keys that a key of English becomes: a plural has the forms of the language, once. */
function listForms(english: Texts, key: string, forms: readonly string[]): string[] {
  const isPlural = ['one', 'other'].every((form) => Object.hasOwn(english, key.replace(FORM, `.${form}`)));
  if (!FORM.test(key) || !isPlural) return [key];
  return key.endsWith('.other') ? forms.map((form) => key.replace(FORM, `.${form}`)) : [];
}

const listPlaces = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

const measure = (text: string): number => text.replace(/\{\w+\}/g, FILLED).length;
