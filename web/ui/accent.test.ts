import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, toDarkShades, toLightShades } from './accent.ts';

/** Every accent of a coarse grid that the server takes: readable on a white sheet. */
const STEPS = ['00', '33', '66', '99', 'cc', 'ff'];
const ACCENTS = STEPS.flatMap((red) =>
  STEPS.flatMap((green) => STEPS.map((blue) => `#${red}${green}${blue}`)),
);
const TAKEN = ACCENTS.filter((accent) => contrast(accent, '#ffffff') >= 4.5);

describe('the shades of an accent', () => {
  it('keep the accent itself on buttons in light', () => {
    for (const accent of TAKEN) expect(toLightShades(accent).fill).toBe(accent);
  });

  it('can be read wherever text of them stands', () => {
    for (const accent of TAKEN) {
      const light = toLightShades(accent);
      const dark = toDarkShades(accent);
      for (const [text, ground] of [
        [light.ink, light.fill],
        [light.ink, light.strong],
        [light.text, '#ffffff'],
        [light.text, '#edeae1'],
        [light.text, light.soft],
        [dark.ink, dark.fill],
        [dark.ink, dark.strong],
        [dark.text, '#191d1a'],
        [dark.text, '#0b0e0c'],
        [dark.text, dark.soft],
        [dark.fill, '#191d1a'],
      ] as const) {
        expect([accent, text, ground, contrast(text, ground) >= 4.5]).toEqual([accent, text, ground, true]);
      }
    }
  });

  it('are as light in dark as they must be, and no lighter', () => {
    const { fill } = toDarkShades('#14603f');
    expect(contrast(fill, '#191d1a')).toBeGreaterThanOrEqual(4.5);
    expect(contrast(fill, '#191d1a')).toBeLessThan(4.8);
    expect(toDarkShades('#ffffff').fill).toBe('#ffffff');
  });

  it('know the grounds that the tokens say', () => {
    const tokens = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8');
    expect(tokens).toContain('--paper: light-dark(#edeae1, #0b0e0c);');
    expect(tokens).toContain('--sheet: light-dark(#ffffff, #191d1a);');
  });
});
