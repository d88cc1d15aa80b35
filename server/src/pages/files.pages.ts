/** Where browsers get files, without a key: pictures by their id, everything else by a signed link. */
import type { FastifyInstance, FastifySchema, HTTPMethods } from 'fastify';
import type { Service } from '../context.ts';
import type { Row } from '../db/schema.ts';
import { Refusal } from '../domain/errors.ts';
import { getDownload } from '../flows/fulfilment/sign-download.ts';
import { toPath } from '../providers/files/disk.ts';
import { findLinkedFile } from '../resources/files/files.queries.ts';
import { isPicture } from '../resources/files/files.schema.ts';
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
      if (!file || !isPicture(file.contentType)) throw new Refusal('not_found');
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
      const file = await getDownload(service, request.params.token);
      return sendFile(request, reply, { ...toSent(file), disposition: 'attachment' });
    },
  });
}
