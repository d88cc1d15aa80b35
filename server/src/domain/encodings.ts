/** Text as programs write it where it may not stand as it is: in addresses, in scripts, in pages, in what holds bytes. */

type Reading = (text: string) => string;

/** How often one is written within another, such as a page in base64. */
const DEPTH_MAX = 2;

/** What else a text may say: each way to read it, and each way to read that. Those that read nothing are left out. */
export function listReadings(text: string): string[] {
  const found = new Set<string>();
  let last = [text];
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const read = last.flatMap((one) => READINGS.map((reading) => reading(one)));
    last = [...new Set(read)].filter((one) => one !== '' && one !== text && !found.has(one));
    for (const one of last) found.add(one);
  }
  return [...found];
}

const toCharacter = (code: number): string => (code <= 0x10_ff_ff ? String.fromCodePoint(code) : '');
const fromHex = (hex: string): string => toCharacter(Number.parseInt(hex, 16));

const READINGS: readonly Reading[] = [
  (text) =>
    text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()),
  (text) =>
    text
      .replace(/\\u\{([0-9A-Fa-f]{1,6})\}/g, (_, hex: string) => fromHex(hex))
      .replace(/\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})/g, (_, four?: string, two?: string) =>
        String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
      ),
  readEntities,
  (text) => readRuns(text.replace(/(?<=[\w+/]{60})\r?\n/g, ''), /[A-Za-z0-9+/]{6,}/g, 'base64'),
  (text) => readRuns(text, /[\w-]{6,}/g, 'base64url'),
  (text) => readRuns(text, /(?:[0-9A-Fa-f]{2}){4,}/g, 'hex'),
];

/** What runs of signs say that hold bytes, as lines; of chance, which reads as no text, nothing. */
function readRuns(text: string, runs: RegExp, encoding: 'base64' | 'base64url' | 'hex'): string {
  const read = (text.match(runs) ?? []).map((run) => {
    // What was cut off ends within a letter.
    const said = Buffer.from(run, encoding)
      .toString()
      .replace(/\ufffd$/, '');
    return /[\ufffd\p{Cc}]/u.test(said.replace(/[\t\r\n]/g, '')) ? '' : said;
  });
  return read.filter((said) => said !== '').join('\n');
}

/** By number, or by name: a letter of the Latin script by itself and what stands on it. */
function readEntities(text: string): string {
  return text.replace(/&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|([A-Za-z]{2,8}));?/g, (whole, ...parts) => {
    const [hex, digits, name] = parts as Array<string | undefined>;
    if (hex !== undefined) return fromHex(hex);
    if (digits !== undefined) return toCharacter(Number(digits));
    const [, letter = '', mark = ''] = /^([A-Za-z])([a-z]{3,6})$/.exec(name ?? '') ?? [];
    const above = MARKS[mark];
    return NAMED.get(name ?? '') ?? (above === undefined ? whole : `${letter}${above}`.normalize('NFC'));
  });
}

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ', rsquo: '’', lsquo: '‘', hyphen: '‐' },
    ...{ commat: '@', period: '.', comma: ',', plus: '+', lowbar: '_', dash: '‐', shy: '', sol: '/' },
    ...{ szlig: 'ß', aelig: 'æ', AElig: 'Æ', oelig: 'œ', OElig: 'Œ', oslash: 'ø', Oslash: 'Ø', imath: 'ı' },
    ...{ eth: 'ð', ETH: 'Ð', thorn: 'þ', THORN: 'Þ', lstrok: 'ł', Lstrok: 'Ł', dstrok: 'đ', Dstrok: 'Đ' },
  }),
);
const MARKS: Readonly<Record<string, string>> = {
  ...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', macr: '\u0304', breve: '\u0306' },
  ...{ dot: '\u0307', uml: '\u0308', ring: '\u030a', dblac: '\u030b', caron: '\u030c', cedil: '\u0327' },
  ...{ ogon: '\u0328' },
};
