import { randomBytes } from 'node:crypto';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createSealing, isSealingKey } from './sealing.ts';

const makeKey = () => randomBytes(32).toString('base64');
const PLACE = ['account', 'one', 'totp'];

describe('a sealed secret', () => {
  it('opens in its own place, by any key, and nowhere else', () => {
    const [old, next] = [makeKey(), makeKey()];
    const sealed = createSealing({ keys: [old], file: null }).seal('secret', PLACE) ?? '';
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+\.[\w-]+$/);
    const both = createSealing({ keys: [next, old], file: null });
    expect(both.open(sealed, PLACE)).toBe('secret');
    expect(both.seal('secret', PLACE)?.split('.')[1]).toBe(both.keyIds()[0]);
    expect(both.open(sealed, ['account', 'two', 'totp'])).toBeNull();
    expect(createSealing({ keys: [next], file: null }).open(sealed, PLACE)).toBeNull();
    const flipped = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(both.open(flipped, PLACE)).toBeNull();
  });

  it('needs a key; an embedded store makes one of its own, which others cannot read', () => {
    expect(createSealing({ keys: [], file: null }).seal('secret', PLACE)).toBeNull();
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sealing-')), 'secrets.key');
    const sealed = createSealing({ keys: [], file }).seal('secret', PLACE) ?? '';
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createSealing({ keys: [], file }).open(sealed, PLACE)).toBe('secret');
  });

  it('is remembered for its own place alone, however many others are opened', () => {
    const sealing = createSealing({ keys: [makeKey()], file: null });
    const texts = Array.from({ length: 450 }, (_, index) => `secret ${index}`);
    const places = texts.map((text) => ['account', text, 'totp']);
    const sealed = texts.map((text, index) => sealing.seal(text, places[index] ?? []) ?? '');
    const openAll = () => sealed.map((one, index) => sealing.open(one, places[index] ?? []));
    expect(openAll()).toEqual(texts);
    expect(openAll()).toEqual(texts);
    expect(sealed.map((one, index) => sealing.open(one, places[index + 1] ?? []))).toEqual(
      texts.map(() => null),
    );
  });

  it('has a key of 32 bytes', () => {
    expect(isSealingKey(makeKey())).toBe(true);
    expect(isSealingKey(randomBytes(31).toString('base64'))).toBe(false);
    expect(isSealingKey('not a key')).toBe(false);
  });
});
