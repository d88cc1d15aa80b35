/** What the demo's downloads give out: small real files, made by the few lines that describe them. */

export interface DemoFile {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

const SAMPLES_PER_SECOND = 11_025;
const SECONDS_PER_CHORD = 2;
const FADE_SECONDS = 0.6;
const LOUDNESS = 5_200;
/** Frequencies (Hz) of A minor, F, C and G, each over its root. */
const CHORDS = [
  [110, 220, 261.63, 329.63],
  [87.31, 174.61, 220, 261.63],
  [130.81, 196, 261.63, 329.63],
  [98, 196, 246.94, 293.66],
];

/** Eight seconds of slow chords: a WAV of one channel, 16 bits. */
export function makeSoundtrack(): DemoFile {
  const chordSamples = SAMPLES_PER_SECOND * SECONDS_PER_CHORD;
  const samples = Buffer.alloc(CHORDS.length * chordSamples * 2);
  for (const [place, chord] of CHORDS.entries()) {
    for (let index = 0; index < chordSamples; index++) {
      const second = index / SAMPLES_PER_SECOND;
      const fade = Math.min(1, second / FADE_SECONDS, (SECONDS_PER_CHORD - second) / FADE_SECONDS);
      const tone = chord.reduce((sum, hertz) => sum + Math.sin(2 * Math.PI * hertz * second), 0);
      samples.writeInt16LE(Math.round(tone * fade * LOUDNESS), (place * chordSamples + index) * 2);
    }
  }
  const bytes = Buffer.concat([wavHeader(samples.length), samples]);
  return { fileName: 'Nebula Drift - Opening theme.wav', contentType: 'audio/wav', bytes };
}

/** RIFF header of uncompressed sound (Microsoft's WAVE, format 1). */
function wavHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24);
  header.writeUInt32LE(SAMPLES_PER_SECOND * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}

const STARS = 240;

/** A night sky that is sharp on every screen. */
export function makeWallpaper(): DemoFile {
  const star = (index: number) => {
    // Odd factors without a common measure scatter the stars as if by chance, the same on every machine.
    const x = (index * 1_597 + 211) % 3_840;
    const y = (index * 987 * (1 + (index % 7)) + 89) % 2_160;
    return `<circle cx="${x}" cy="${y}" r="${1 + (index % 4)}" opacity="${0.35 + (index % 5) / 8}"/>`;
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3840 2160">
<defs>
<linearGradient id="sky" x2="0.3" y2="1"><stop stop-color="#0b1030"/><stop offset="1" stop-color="#2a1140"/></linearGradient>
<radialGradient id="cloud"><stop stop-color="#7fd6c2" stop-opacity=".55"/><stop offset="1" stop-color="#7fd6c2" stop-opacity="0"/></radialGradient>
<radialGradient id="glow"><stop stop-color="#e58fb8" stop-opacity=".6"/><stop offset="1" stop-color="#e58fb8" stop-opacity="0"/></radialGradient>
</defs>
<rect width="3840" height="2160" fill="url(#sky)"/>
<ellipse cx="1500" cy="1150" rx="1400" ry="720" fill="url(#cloud)"/>
<ellipse cx="2500" cy="900" rx="1200" ry="640" fill="url(#glow)"/>
<g fill="#fff">${Array.from({ length: STARS }, (_, index) => star(index)).join('')}</g>
</svg>
`;
  return { fileName: 'Nebula wallpaper.svg', contentType: 'image/svg+xml', bytes: Buffer.from(svg) };
}
