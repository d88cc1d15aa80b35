import { encode } from 'blurhash';

/** A picture of more pixels is shown without a placeholder rather than unpacked. */
const PIXELS_MAX = 50_000_000;
const EDGE_PIXELS = 32;
const COMPONENTS_X = 4;
const COMPONENTS_Y = 3;

/** The BlurHash of a picture on disk, or null when it can not be read as one. */
export async function computeBlurHash(file: string): Promise<string | null> {
  try {
    // Loaded with the first picture: a shop that has none does not pay for it in memory.
    const { default: sharp } = await import('sharp');
    const { data, info } = await sharp(file, { limitInputPixels: PIXELS_MAX })
      .rotate()
      .resize(EDGE_PIXELS, EDGE_PIXELS, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return encode(new Uint8ClampedArray(data), info.width, info.height, COMPONENTS_X, COMPONENTS_Y);
  } catch {
    // The merchant calls it a picture; that it is none shows where it is looked at.
    return null;
  }
}
