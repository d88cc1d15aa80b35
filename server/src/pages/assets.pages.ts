/** What the pages of the web build load. Its folder is flat, so that a path which is no plain name asks for nothing. */
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';
import { ASSETS_PATH } from './render-page.ts';

const NAME = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;

export async function registerAssets(app: FastifyInstance, { root }: { root: string }): Promise<void> {
  app.addHook('onRequest', refuseOddNames);
  await app.register(serveFiles, {
    root,
    prefix: ASSETS_PATH,
    immutable: true,
    maxAge: '365d',
    // The build writes them beside each file.
    preCompressed: true,
  });
}

/** As it was sent, before anything is decoded or put in order: nothing that climbs, is doubled or hidden is looked for. */
async function refuseOddNames({ originalUrl }: FastifyRequest): Promise<void> {
  const [path = ''] = originalUrl.split('?');
  if (!path.startsWith(ASSETS_PATH) || !NAME.test(path.slice(ASSETS_PATH.length))) {
    throw new Refusal('not_found');
  }
}
