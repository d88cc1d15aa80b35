/**
 * Pages leave compressed where their size tells nothing. It would (BREACH) where text of somebody else's choosing, such as
 * what a link fills in, is compressed beside a secret: whoever has the browser ask again and again, and sees how large the
 * answers are, guesses it letter by letter. See docs/decisions/0043-what-leaves-compressed.md.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { PageEntry } from './render-page.ts';

/**
 * Pages that take no text of a link, or whose secrets are those of their own address: nobody can ask for a checkout's page
 * who does not know its token.
 */
const SAFE: ReadonlySet<PageEntry> = new Set(['checkout', 'portal', 'statements', 'message']);

/** What a buyer's cookie brings into a checkout is no secret of its address. */
const SIGNED_IN = /(^|[;\s])(__Host-)?cf_[0-9a-f]{8}=/;

export interface Compressed {
  encoding: 'br' | 'gzip';
  bytes: Buffer;
}

/** Null where the page is to be sent as it is. */
export function compressPage(
  { entry, html }: { entry: PageEntry; html: string },
  headers: IncomingHttpHeaders,
): Compressed | null {
  const isPersonal = entry === 'checkout' && SIGNED_IN.test(headers.cookie ?? '');
  // Written for one value; a header that came twice is not one of a browser.
  const wish = headers['accept-encoding'];
  const encoding =
    SAFE.has(entry) && !isPersonal ? chooseEncoding(typeof wish === 'string' ? wish : undefined) : null;
  if (encoding === null) return null;
  const bytes = Buffer.from(html);
  if (encoding === 'gzip') return { encoding, bytes: gzipSync(bytes) };
  // What is made for each answer is worth no second of anybody's: a middle quality.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return { encoding, bytes: brotliCompressSync(bytes, { params }) };
}

/** The smaller of ours that the browser takes (RFC 9110, 12.5.3). */
export function chooseEncoding(acceptEncoding: string | undefined): Compressed['encoding'] | null {
  const taken = new Map(
    (acceptEncoding ?? '').split(',').map((wish) => {
      const [name = '', quality = ''] = wish.split(';');
      return [name.trim().toLowerCase(), !/^\s*q=0(\.0*)?\s*$/i.test(quality)] as const;
    }),
  );
  const takes = (name: string) => taken.get(name) ?? taken.get('*') ?? false;
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : null;
}
