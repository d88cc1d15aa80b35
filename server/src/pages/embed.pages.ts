/** The script that shops load to show the checkout over or in their pages: its files, and what names them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Refusal } from '../domain/errors.ts';

/** Long enough to spare a visit per page, short enough that a mended script reaches every shop the same day. */
const CURRENT_SECONDS = 3_600;
const YEAR_SECONDS = 31_536_000;
const RELEASE = /^v\d+\.\d+\.\d+\.js$/;

interface Options {
  /** The folder of the web build that holds the script. */
  root: string;
  publicUrl: string;
}

interface Built {
  version: string;
  file: string;
  integrity: string;
}

export async function registerEmbed(app: FastifyInstance, { root, publicUrl }: Options): Promise<void> {
  const { version, file, integrity } = readBuilt(root);
  await app.register(serveFiles, {
    root,
    serve: false,
    // The build writes them beside each file.
    preCompressed: true,
    cacheControl: false,
  });
  const send = (reply: FastifyReply, name: string, caching: string) =>
    openToAll(reply).header('cache-control', caching).sendFile(name);
  const hidden = { schema: { hide: true } };
  const current = `public, max-age=${CURRENT_SECONDS}`;
  for (const path of ['/embed/v1.js', '/embed.js']) {
    app.get(path, hidden, (_request, reply) => send(reply, 'v1.js', current));
  }
  app.get('/embed/v1.json', hidden, (_request, reply) =>
    openToAll(reply)
      .header('cache-control', current)
      .send({ version, url: `${publicUrl}/embed/${file}`, integrity }),
  );
  app.get<{ Params: { name: string } }>('/embed/:name', hidden, ({ params: { name } }, reply) => {
    if (!RELEASE.test(name)) throw new Refusal('not_found');
    return send(reply, name, `public, max-age=${YEAR_SECONDS}, immutable`);
  });
}

/** Every page may load it, an isolated one and one that checks its bytes, too. */
function openToAll(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin');
}

/** Throws where the pages are not built, or by an older build: better at the start than at the first shop. */
function readBuilt(root: string): Built {
  const path = join(root, 'v1.json');
  try {
    // The file is written by our own build, so its shape is known.
    return JSON.parse(readFileSync(path, 'utf8')) as Built;
  } catch (cause) {
    throw new Error(`the script for shops is not built (${path}): run "npm run build -w web"`, { cause });
  }
}
