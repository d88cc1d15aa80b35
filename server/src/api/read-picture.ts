/** Looks into an uploaded picture: whether it is one, and the placeholder that stands for it while it loads. */
import { open } from 'node:fs/promises';
import { encode } from 'blurhash';
import { invalidField, Refusal } from '../domain/errors.ts';
import { hasSignOf, SIGN_BYTES } from '../domain/file-purpose.ts';

const PIXELS_MAX = 16_000_000;
const EDGE_PIXELS = 32;
const COMPONENTS_X = 4;
const COMPONENTS_Y = 3;

/** A picture unpacked takes many times its bytes: those of all uploads wait for one another. */
let turn: Promise<unknown> = Promise.resolve();

/** The BlurHash. Throws invalid_input on `body` for what is no picture of its type, or too large a one. */
export async function readPicture(file: string, contentType: string): Promise<string> {
  // Told by the first bytes, since the decoder would open whatever it can.
  if (!hasSignOf(contentType, await readStart(file))) throw notOfType(contentType);
  const read = turn.then(() => unpack(file, contentType));
  turn = read.catch(() => {});
  return read;
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SIGN_BYTES), 0, SIGN_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function unpack(file: string, contentType: string): Promise<string> {
  // Loaded with the first picture: a shop that has none does not pay for it in memory.
  const { default: sharp } = await import('sharp');
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    if (width * height > PIXELS_MAX) throw invalidField('body', 'must be a picture of at most 16 megapixels');
    const { data, info } = await sharp(file, { limitInputPixels: PIXELS_MAX })
      .rotate()
      .resize(EDGE_PIXELS, EDGE_PIXELS, { fit: 'inside' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return encode(new Uint8ClampedArray(data), info.width, info.height, COMPONENTS_X, COMPONENTS_Y);
  } catch (error) {
    throw error instanceof Refusal ? error : notOfType(contentType, error);
  }
}

function notOfType(contentType: string, cause?: unknown): Refusal {
  const issue = { path: 'body', message: `is no picture of type ${contentType}` };
  return new Refusal('invalid_input', { message: `${issue.path} ${issue.message}`, details: [issue], cause });
}
