/** Where browsers get files, without a key: pictures by their id, what is sold by a link of its buyer's alone. */
import type { FastifyInstance, FastifySchema, HTTPMethods } from 'fastify';
import type { Service } from '../context.ts';
import type { Row } from '../db/schema.ts';
import { Refusal } from '../domain/errors.ts';
import { getBoughtFileId } from '../flows/fulfilment/check-access.ts';
import { readDownloadLink } from '../flows/fulfilment/sign-download.ts';
import { openContext } from '../http/context.ts';
import { toPath } from '../providers/files/disk.ts';
import { findFile, findLinkedFile } from '../resources/files/files.queries.ts';
import { sendFile } from './send-file.ts';

/** Named both, since Fastify's own HEAD would read the whole file to answer nothing of it. */
const BOTH: { method: HTTPMethods[]; schema: FastifySchema } = {
  method: ['GET', 'HEAD'],
  schema: { hide: true },
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function registerFilePages(app: FastifyInstance, service: Service): void {
  const toSent = (file: Row<'files'>) => ({ ...file, path: toPath(service.config.dataDir, file) });

  app.route<{ Params: { id: string } }>({
    ...BOTH,
    url: '/files/:id',
    handler: async (request, reply) => {
      const { id } = request.params;
      const file = UUID.test(id) ? await findLinkedFile(service.db, id) : undefined;
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
      const file = await openDownload(service, request.params.token);
      return sendFile(request, reply, { ...toSent(file), disposition: 'attachment' });
    },
  });
}

/** Asked again at the door: what was bought may have been taken back since the link was written. */
async function openDownload(service: Service, token: string): Promise<Row<'files'>> {
  const { scope, bought } = await readDownloadLink(service, token);
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: false });
  const file = await findFile(ctx.db, scope, await getBoughtFileId(ctx, scope, bought));
  if (!file) throw new Refusal('not_found');
  return file;
}
