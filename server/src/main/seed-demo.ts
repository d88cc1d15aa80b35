/** A small catalogue that looks like a real shop's: what a newcomer can buy within a minute of the start. */
import { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { toFilesUrl } from '../domain/files-place.ts';
import { addOfferKeys } from '../flows/catalogue/add-offer-keys.ts';
import { createProduct } from '../flows/catalogue/create-product.ts';
import { createCheckoutElement } from '../flows/catalogue/edit-checkout-element.ts';
import { createDiscount } from '../flows/catalogue/edit-discount.ts';
import { keepFile } from '../flows/catalogue/keep-file.ts';
import { storeBytes, toPath } from '../providers/files/disk.ts';
import { type FinishedFile, toUploadName } from '../providers/files/file-store.ts';
import { type DemoFile, makeSoundtrack, makeWallpaper } from './demo-files.ts';
import { EXIT } from './exit-codes.ts';
import { StartError } from './start-error.ts';

type ProductInput = Parameters<typeof createProduct>[2]['input'];

const CURRENCY = 'USD' as const;
/** Where the demo sells from: without one no company within the EU would pay its tax. */
export const DEMO_COUNTRY = 'DE';
const SALE_DAYS_MS = 365 * 86_400_000;

const GAME: ProductInput = {
  type: 'Game',
  name: 'Nebula Drift',
  description: 'A calm voyage through a hand-drawn galaxy. Solo or with three friends.',
  developer: 'Nebula Games',
  publisher: 'Nebula Games',
  pegiRating: '7',
  systems: ['Windows', 'Linux', 'macOS'],
  genres: ['Exploration', 'Co-op'],
  offers: [
    { price: 2499, originalPrice: 3499, currency: CURRENCY, name: 'Nebula Drift', mutableQuantity: true },
  ],
};

const toSoundtrack = (downloadFileId: string): ProductInput => ({
  type: 'DigitalDownload',
  name: 'Nebula Drift: Soundtrack',
  description: 'The opening theme, slow chords for a slow voyage, as WAV.',
  offers: [{ price: 899, currency: CURRENCY, name: 'Original soundtrack', downloadFileId }],
});

const SAAS: ProductInput = {
  type: 'Subscription',
  name: 'Nebula Cloud',
  description: 'Save games, mods and servers that follow you to every machine.',
  plans: [
    {
      name: 'Starter',
      description: 'One server, 5 GB of saves',
      features: [{ value: '1 server' }, { value: '5 GB' }],
    },
    {
      name: 'Pro',
      description: 'Ten servers, 100 GB of saves',
      features: [{ value: '10 servers' }, { value: '100 GB' }],
    },
  ],
  offers: [
    {
      variantIdx: 0,
      price: 900,
      currency: CURRENCY,
      name: 'Nebula Cloud Starter',
      recurringInterval: 'month',
      recurringIntervalCount: 1,
      trialInterval: 'day',
      trialIntervalCount: 14,
    },
    {
      variantIdx: 1,
      price: 2900,
      currency: CURRENCY,
      name: 'Nebula Cloud Pro',
      recurringInterval: 'month',
      recurringIntervalCount: 1,
    },
  ],
};

const toWallpaper = (downloadFileId: string): ProductInput => ({
  type: 'DigitalDownload',
  name: 'Nebula wallpaper',
  description: 'A night sky that is sharp on every screen, free for everyone.',
  offers: [{ price: 0, currency: CURRENCY, name: 'Nebula wallpaper', freeProduct: true, downloadFileId }],
});

/** Fills a test store, and the disk with what its downloads give out; returns the offer that the printed checkout link sells. */
export async function seedDemo(ctx: Context, scope: Scope, tx: Tx): Promise<string> {
  const game = await createProduct(ctx, scope, { tx, input: GAME });
  const soundtrack = await createProduct(ctx, scope, {
    tx,
    input: toSoundtrack(await keepDemoFile(ctx, scope, { tx, file: makeSoundtrack() })),
  });
  const cloud = await createProduct(ctx, scope, { tx, input: SAAS });
  await createProduct(ctx, scope, {
    tx,
    input: toWallpaper(await keepDemoFile(ctx, scope, { tx, file: makeWallpaper() })),
  });
  const gameOffer = idOf(game.offers);
  const soundtrackOffer = idOf(soundtrack.offers);
  await addOfferKeys(ctx, scope, {
    tx,
    offerId: gameOffer,
    input: { productKeys: demoKeys(), fileName: 'demo.txt' },
  });
  await createCheckoutElement(ctx, scope, {
    tx,
    input: { name: 'Game and soundtrack', offersIds: [gameOffer, soundtrackOffer] },
  });
  const offers = [gameOffer, soundtrackOffer, ...cloud.offers.map(({ id }) => id)];
  await createDiscount(ctx, scope, {
    tx,
    input: {
      type: 'code',
      discountCode: 'WELCOME10',
      name: 'Welcome',
      amount: 10,
      amountType: 'percentage',
      includedOffers: offers,
    },
  });
  await createDiscount(ctx, scope, {
    tx,
    input: {
      type: 'sale',
      name: 'Launch week for the soundtrack',
      amount: 20,
      amountType: 'percentage',
      includedOffers: [soundtrackOffer],
      validUntil: ctx.nowMs + SALE_DAYS_MS,
    },
  });
  return gameOffer;
}

/** As an upload is kept. The bytes come first: a row without them would be a download that fails. */
async function keepDemoFile(
  ctx: Context,
  scope: Scope,
  { tx, file }: { tx: Tx; file: DemoFile },
): Promise<string> {
  const { fileName, contentType, bytes } = file;
  const id = ctx.ids.next(ctx.nowMs);
  const target = toPath(ctx.config.dataDir, { ...scope, id });
  const stored = await storeBytes(target, Readable.from([bytes]), bytes.length);
  const { sha256 } = stored;
  await putFile(ctx, toUploadName({ ...scope, id, sha256 }), { ...stored, path: target });
  await keepFile(ctx, scope, {
    tx,
    id,
    received: { fileName, contentType, purpose: 'download', ...stored, blurHash: null },
  });
  return id;
}

/** Where it cannot, the start says which setting names the place: no upload could be kept there either. */
async function putFile({ config, files }: Context, name: string, file: FinishedFile): Promise<void> {
  try {
    await files.put(name, file);
  } catch (cause) {
    const url = toFilesUrl(config.files);
    const place = url === null ? `DATA_DIR (${config.dataDir})` : `FILES_URL (${url})`;
    const told = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
    const reason = told instanceof Error ? told.message : String(told);
    throw new StartError(`${place} cannot be written to: ${reason}`, { cause, exit: EXIT.usage });
  }
}

function idOf(offers: Array<{ id: string }>): string {
  const [first] = offers;
  if (!first) throw new Error('a demo product has an offer');
  return first.id;
}

/** Keys that look like keys and open nothing. */
function demoKeys(): string[] {
  return Array.from({ length: 200 }, (_, index) => {
    const block = (salt: number) =>
      ((index + 1) * salt).toString(36).toUpperCase().padStart(5, '0').slice(-5);
    return `NEBULA-${block(7_919_317)}-${block(15_485_863)}-${block(32_452_843)}`;
  });
}
