/** Bech32 (BIP 173), as age writes its keys. */

const LETTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECK_LETTERS = 6;

export function toBech32(prefix: string, bytes: Uint8Array): string {
  const words = toWords(bytes);
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  const spread = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  const check = compute([...spread, ...words, ...new Array(CHECK_LETTERS).fill(0)]) ^ 1;
  const checkWords = Array.from({ length: CHECK_LETTERS }, (_, at) => (check >> (5 * (5 - at))) & 31);
  return `${prefix}1${[...words, ...checkWords].map((word) => LETTERS[word]).join('')}`;
}

/** Eights of bits as fives, the last filled up with zeros. */
function toWords(bytes: Uint8Array): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => Number.parseInt(five.padEnd(5, '0'), 2));
}

function compute(words: readonly number[]): number {
  let sum = 1;
  for (const word of words) {
    const top = sum >> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ word;
    for (const [at, part] of GENERATOR.entries()) if ((top >> at) & 1) sum ^= part;
  }
  return sum;
}
