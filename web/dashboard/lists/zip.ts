/** An archive of files that are small already: stored as they are, in the plain form that every system opens. */

export interface ZipEntry {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;

export function toZip(entries: readonly ZipEntry[], at: Date): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const named = new TextEncoder().encode(name);
    const common = [
      ...[half(VERSION), half(FLAGS), half(0), half(toTime(at)), half(toDate(at))],
      ...[word(toCrc(bytes)), word(bytes.length), word(bytes.length), half(named.length), half(0)],
    ];
    const local = join([word(0x04034b50), ...common, named]);
    parts.push(local, bytes);
    const attributes = [half(0), half(0), half(0), word(0), word(offset)];
    central.push(join([word(0x02014b50), half(VERSION), ...common, ...attributes, named]));
    offset += local.length + bytes.length;
  }
  const size = central.reduce((sum, one) => sum + one.length, 0);
  const count = half(entries.length);
  const end = join([
    ...[word(0x06054b50), half(0), half(0), count, count],
    ...[word(size), word(offset), half(0)],
  ]);
  return new Blob([...parts, ...central, end], { type: 'application/zip' });
}

const half = (value: number) => little(value, 2);
const word = (value: number) => little(value, 4);

function little(value: number, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (value >>> (8 * index)) & 0xff);
}

function join(parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Seconds are told in pairs. */
const toTime = (at: Date) => (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1);
const toDate = (at: Date) => ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate();

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

function toCrc(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
