/**
 * Where browsers get files, without a key: pictures by their id, what is sold by a link of its buyer's alone,
 * exported lists by one of their maker's.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FastifyInstance, FastifySchema, HTTPMethods } from 'fastify';
import type { Service } from '../context.ts';
import type { Row } from '../db/schema.ts';
import { isSpread } from '../db/store-form.ts';
import { inTransaction } from '../db/transaction.ts';
import { Refusal } from '../domain/errors.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import { readExportLink } from '../flows/exports/sign-export.ts';
import { getBoughtFileId } from '../flows/fulfilment/check-access.ts';
import { readDownloadLink } from '../flows/fulfilment/sign-download.ts';
import { openContext } from '../http/context.ts';
import { toPath } from '../providers/files/disk.ts';
import { type Stretch, toUploadName } from '../providers/files/file-store.ts';
import { noteDelivery } from '../resources/consumer/consents.queries.ts';
import { findFile } from '../resources/files/files.queries.ts';
import { findLinkedFile } from '../resources/links/links.queries.ts';
import { sendFile } from './send-file.ts';

/** Named both, since Fastify's own HEAD would read the whole file to answer nothing of it. */
const BOTH: { method: HTTPMethods[]; schema: FastifySchema } = {
  method: ['GET', 'HEAD'],
  schema: { hide: true },
};

const CONTENT_TYPES: Readonly<Record<Row<'exports'>['format'], string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  'tar.gz': 'application/gzip',
};

export function registerFilePages(app: FastifyInstance, service: Service): void {
  const toSent = (file: Row<'files'>) => ({ ...file, open: openUpload(service, file) });

  app.route<{ Params: { id: string } }>({
    ...BOTH,
    url: '/files/:id',
    handler: async (request, reply) => {
      const id = request.params.id.toLowerCase();
      const file = WHOLE_ID.test(id) ? await findPicture(service, id) : undefined;
      if (file?.purpose !== 'picture') throw new Refusal('not_found');
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('cross-origin-resource-policy', 'cross-origin');
      return sendFile(request, reply, { ...toSent(file), disposition: 'inline' });
    },
  });

  app.route<{ Params: { token: string } }>({
    ...BOTH,
    url: '/downloads/:token',
    handler: async (request, reply) => {
      // Who only asks how large it is downloads nothing.
      const isOpened = request.method !== 'HEAD';
      const file = await openDownload(service, { token: request.params.token, isOpened });
      return sendFile(request, reply, { ...toSent(file), disposition: 'attachment' });
    },
  });

  app.route<{ Params: { token: string } }>({
    ...BOTH,
    url: '/exports/:token',
    handler: async (request, reply) => {
      const row = await readExportLink(service, request.params.token);
      return sendFile(request, reply, {
        open: openExport(service, row),
        id: row.id,
        sizeBytes: row.bytes,
        contentType: isSealed(row) ? SEALED : CONTENT_TYPES[row.format],
        fileName: toExportName(row),
        disposition: 'attachment',
      });
    },
  });
}

/** One PostgreSQL finds it by its id alone; of several nodes the one that has it is asked. */
async function findPicture({ db, owners }: Service, id: string): Promise<Row<'files'> | undefined> {
  if (!isSpread(db)) return findLinkedFile(db, id);
  const scope = await owners.find('file', id);
  return scope && findFile(db, scope, id);
}

/** A row without its bytes is no fault of who asks: it is told to whoever watches. */
function openUpload(service: Service, file: Row<'files'>) {
  return async (stretch: Stretch) => {
    const found = await service.files.open(toUploadName(file), stretch);
    if (found) return found;
    const internal = `the bytes of the file ${file.id} are missing`;
    service.notice({ what: 'document', outcome: 'lost' });
    service.log.error({ event: 'file_lost', refId: file.id }, internal);
    throw new Refusal('unavailable', { internal });
  };
}

function openExport(service: Service, row: Row<'exports'>) {
  return async (stretch: Stretch) => {
    const place = toPath(service.config.dataDir, row);
    const handle = await open(place, 'r').catch((cause: unknown) => {
      throw new Refusal('not_found', { cause, internal: `the bytes of ${place} are missing` });
    });
    return handle.createReadStream(stretch);
  };
}

const SEALED = 'application/octet-stream';
const isSealed = ({ recipients }: Row<'exports'>) => recipients.length > 0;

function toExportName(row: Row<'exports'>): string {
  const { resource, createdAt, format } = row;
  const name = `${resource}-${new Date(createdAt).toISOString().slice(0, 10)}.${format}`;
  return isSealed(row) ? `${name}.age` : name;
}

/** Asked again at the door: what was bought may have been taken back since the link was written. */
async function openDownload(
  service: Service,
  { token, isOpened }: { token: string; isOpened: boolean },
): Promise<Row<'files'>> {
  const { scope, bought } = await readDownloadLink(service, token);
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: false });
  const link = createHash('sha256').update(token).digest('base64url');
  const fileId = await getBoughtFileId(ctx, scope, isOpened ? { ...bought, link } : bought);
  const file = await findFile(ctx.db, scope, fileId);
  if (!file) throw new Refusal('not_found');
  const { orderId, itemId } = bought;
  if (isOpened)
    await inTransaction(ctx.db, (tx) =>
      noteDelivery(tx, scope, { orderId, itemIds: [itemId], atMs: ctx.nowMs }),
    );
  return file;
}
