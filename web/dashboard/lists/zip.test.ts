import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { toZip } from './zip.ts';

it('holds every file under its name, found from the end as readers do', async () => {
  const files = ['a', 'Rechnung ü', ''].map((text, index) => ({
    name: `${index} ${text}.pdf`,
    bytes: new TextEncoder().encode(text.repeat(1_000)),
  }));
  const zip = new DataView(await toZip(files, new Date(2026, 10, 23, 13, 45, 6)).arrayBuffer());
  const text = (from: number, length: number) =>
    new TextDecoder().decode(new Uint8Array(zip.buffer, from, length));
  const end = zip.byteLength - 22;
  expect(text(end, 4)).toBe('PK\u0005\u0006');
  expect(zip.getUint16(end + 10, true)).toBe(files.length);
  let at = zip.getUint32(end + 16, true);
  expect(at + zip.getUint32(end + 12, true)).toBe(end);
  for (const { name, bytes } of files) {
    expect(text(at, 4)).toBe('PK\u0001\u0002');
    expect([zip.getUint16(at + 12, true), zip.getUint16(at + 14, true)]).toEqual([0x6da3, 0x5d77]);
    const length = zip.getUint16(at + 28, true);
    expect(text(at + 46, length)).toBe(name);
    const local = zip.getUint32(at + 42, true);
    expect(text(local, 4)).toBe('PK\u0003\u0004');
    expect(text(local + 30, length)).toBe(name);
    const size = zip.getUint32(at + 20, true);
    const held = new Uint8Array(zip.buffer, local + 30 + length, size);
    expect([...held]).toEqual([...bytes]);
    expect(zip.getUint32(at + 16, true)).toBe(crc32(held));
    at += 46 + length;
  }
  expect(at).toBe(end);
});
