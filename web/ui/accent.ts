/**
 * A shop's own accent as the colours that our tokens know: readable wherever text of it stands, in light and in dark.
 * The server has refused an accent that cannot be read on a white sheet; what is still too pale for the paper is only
 * darkened where it is text.
 */
export interface AccentShades {
  /** Of buttons and marks. */
  fill: string;
  /** What it is under the pointer. */
  strong: string;
  /** Text on both. */
  ink: string;
  /** A tint under text of the accent. */
  soft: string;
  /** Text of the accent on sheet, paper and tint. */
  text: string;
}

/** Grounds of `tokens.css`: the sheet, and the one that text is hardest to read on. */
const LIGHT = { sheet: '#ffffff', paper: '#edeae1' };
const DARK = { sheet: '#191d1a', paper: '#191d1a' };
const READABLE = 4.5;
const STEP = 0.01;
const SOFT = { light: 0.1, dark: 0.16 };

export function toLightShades(accent: string): AccentShades {
  const soft = mix(accent, LIGHT.sheet, SOFT.light);
  const text = move(accent, [LIGHT.paper, soft], -STEP);
  return { fill: accent, strong: shift(accent, -0.08), ink: '#ffffff', soft, text };
}

/** The same hue, lightened until it can be read on a dark sheet. */
export function toDarkShades(accent: string): AccentShades {
  const fill = move(accent, [DARK.sheet], STEP);
  const soft = mix(fill, DARK.sheet, SOFT.dark);
  const text = move(fill, [DARK.paper, soft], STEP);
  return { fill, strong: shift(fill, 0.08), ink: '#000000', soft, text };
}

export function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
}

/** Goes step by step darker or lighter until it is readable on all grounds; the ends of the scale always are. */
function move(color: string, grounds: readonly string[], step: number): string {
  const [hue, saturation, start] = toHsl(color);
  let found = color;
  for (let lightness = start; !grounds.every((ground) => contrast(found, ground) >= READABLE); ) {
    lightness = Math.min(Math.max(lightness + step, 0), 1);
    found = toHex(hue, saturation, lightness);
    if (lightness === 0 || lightness === 1) break;
  }
  return found;
}

function shift(color: string, by: number): string {
  const [hue, saturation, lightness] = toHsl(color);
  return toHex(hue, saturation, Math.min(Math.max(lightness + by, 0), 1));
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);

const toCode = (parts: readonly number[]): string =>
  `#${parts
    .map((part) =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

function mix(color: string, ground: string, share: number): string {
  const under = channels(ground);
  return toCode(channels(color).map((part, at) => part * share + (under[at] ?? 0) * (1 - share)));
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toHsl(color: string): [hue: number, saturation: number, lightness: number] {
  const [red = 0, green = 0, blue = 0] = channels(color);
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const range = most - least;
  const lightness = (most + least) / 2;
  if (range === 0) return [0, 0, lightness];
  const sixth =
    most === red
      ? ((green - blue) / range + 6) % 6
      : most === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return [sixth * 60, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function toHex(hue: number, saturation: number, lightness: number): string {
  const range = saturation * Math.min(lightness, 1 - lightness);
  const part = (at: number) => {
    const turn = (at + hue / 30) % 12;
    return lightness - range * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
  };
  return toCode([part(0), part(8), part(4)]);
}
